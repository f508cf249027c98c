// N threads set a to 1 and b to -1; another expects to see both as they were or both as they are then, and
// can be wrong (after SV-COMP's reorder_5). However many threads there are, the two reads have four pairs of
// values.
#include "threads.h"

#ifndef N
#define N 3
#endif

static atomic_int a, b;

static void* setter(void* unused) {
  store(&a, 1);
  store(&b, -1);
  return NULL;
}

static void* checker(void* unused) {
  int first = load(&a);
  int second = load(&b);
  assert(first + second == 0);
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; i++) start(setter, i);
  start(checker, 0);
  return 0;
}
