// One thread writes twice, and N others each read once: 3^N executions for every equivalence but the
// value-based ones, as the writes write the same.
#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void* writer(void* unused) {
  store(&x, 1);
  store(&x, 1);
  return NULL;
}

static void* reader(void* unused) {
  assert(load(&x) <= 1);
  return NULL;
}

int main(void) {
  start(writer, 0);
  for (int i = 0; i < N; i++) start(reader, i);
  return 0;
}
