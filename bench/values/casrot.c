// Thread i tries to turn i - 1 into i by compare-and-swap, for N threads: how far the variable gets depends
// on who came first.
#include "threads.h"

#ifndef N
#define N 5
#endif

static atomic_int x;

static void* turner(void* number) {
  int target = number_of(number);
  compare_exchange(&x, target - 1, target);
  assert(load(&x) <= N);
  return NULL;
}

int main(void) {
  for (int i = 1; i <= N; i++) start(turner, i);
  return 0;
}
