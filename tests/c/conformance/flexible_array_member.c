// expect: all safe
// native: 0
// A structure with a flexible array at its end, on the heap.
#include <assert.h>
#include <stdlib.h>

struct vector {
  int size, capacity;
  int items[];
};

static struct vector* make(int capacity) {
  struct vector* v = malloc(sizeof *v + (size_t)capacity * sizeof(int));
  v->size = 0;
  v->capacity = capacity;
  return v;
}
static int push(struct vector* v, int item) {
  if (v->size == v->capacity) return 0;
  v->items[v->size++] = item;
  return 1;
}

int main(void) {
  struct vector* v = make(3);
  assert(push(v, 10) && push(v, 20) && push(v, 30) && !push(v, 40));
  assert(v->size == 3 && v->items[0] == 10 && v->items[2] == 30);
  assert(sizeof(struct vector) == 8);
  int* end = v->items + v->size;
  int sum = 0;
  for (int* i = v->items; i < end; i++) sum += *i;
  assert(sum == 60);
  free(v);
  return 0;
}
