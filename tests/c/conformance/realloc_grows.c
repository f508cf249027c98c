// expect: all safe
// native: 0
// realloc keeps what was there, whether it grows or shrinks.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int* a = realloc(NULL, 2 * sizeof(int));
  a[0] = 10;
  a[1] = 20;
  a = realloc(a, 4 * sizeof(int));
  assert(a[0] == 10 && a[1] == 20);
  a[3] = 40;
  a = realloc(a, sizeof(int));
  assert(a[0] == 10);
  free(a);
  return 0;
}
