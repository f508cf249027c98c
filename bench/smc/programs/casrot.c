// Thread i tries to turn i into i + 1 by compare-and-swap, for N threads.
#include "threads.h"

static atomic_int x;

static void* turner(void* number) {
  int expected = number_of(number);
  atomic_compare_exchange_strong_explicit(&x, &expected, number_of(number) + 1, memory_order_relaxed,
                                          memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  atomic_init(&x, 0);
  create_all(threads, N, turner);
  join_all(threads, N);
  return 0;
}
