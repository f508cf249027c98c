// expect: all safe
// native: 0
// Whole structures assigned to and from the heap.
#include <assert.h>
#include <stdlib.h>

struct point {
  int x, y;
  double weight;
};

int main(void) {
  struct point* p = malloc(2 * sizeof *p);
  *p = (struct point){1, 2, 0.5};
  p[1] = p[0];
  p[1].y = 7;
  struct point local = p[1];
  assert(local.x == 1 && local.y == 7 && local.weight == 0.5 && p->y == 2);
  free(p);
  return 0;
}
