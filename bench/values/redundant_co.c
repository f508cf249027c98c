// Two threads store a value of their own N times each, and a third reads twice: the writes have C(2N, N)
// orders, but the reads see one of three values.
#include "threads.h"

#ifndef N
#define N 3
#endif

static atomic_int x;

static void* writer(void* value) {
  for (int i = 0; i < N; i++) store(&x, number_of(value));
  return NULL;
}

static void* reader(void* unused) {
  int before = load(&x);
  int after = load(&x);
  assert(before == 0 || after != 0);
  return NULL;
}

int main(void) {
  start(writer, 1);
  start(writer, 2);
  start(reader, 0);
  return 0;
}
