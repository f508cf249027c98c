// N threads increment a variable in two steps, read and write; another checks that it never exceeds N
// (SV-COMP's fkp2013). Increments that overlap write the same value.
#include "threads.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* increment(void* unused) {
  int value = load(&x);
  store(&x, value + 1);
  return NULL;
}

static void* checker(void* unused) {
  assert(load(&x) <= N);
  return NULL;
}

int main(void) {
  start(checker, 0);
  for (int i = 0; i < N; i++) start(increment, i);
  return 0;
}
