// N threads store the same value and read it back: (N!)^2 orders, (N + 1)^(N - 1) choices of sources, one
// choice of values (SV-COMP's 45_monabsex1).
#include "threads.h"

#ifndef N
#define N 4
#endif

static atomic_int x;

static void* thread(void* unused) {
  store(&x, 4);
  assert(load(&x) == 4);
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; i++) start(thread, i);
  return 0;
}
