// N threads store 0 to N - 1 to a variable, and another reads it: (N + 1)! orders, N + 1 sources for the
// read, and N values, as one of the writes stores what is there from the start.
#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void* writer(void* value) {
  store(&x, number_of(value));
  return NULL;
}

static void* reader(void* unused) {
  assert(load(&x) < N);
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; i++) start(writer, i);
  start(reader, 0);
  return 0;
}
