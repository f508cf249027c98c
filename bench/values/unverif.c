// N threads register with one counter and then with another, by atomic increments: (N!)^2 orders, and each
// has values of its own, so that no equivalence has fewer (SV-COMP's 13_unverif has as many).
#include "threads.h"

#ifndef N
#define N 4
#endif

static atomic_int arrived, left;

static void* visitor(void* unused) {
  int place = fetch_add(&arrived, 1);
  assert(place < N);
  fetch_add(&left, 1);
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; i++) start(visitor, i);
  return 0;
}
