// Treiber's stack on an array of nodes: each of N threads pushes its node and pops one.
#include "threads.h"

static atomic_int top, below[N + 1];

static void push(int node) {
  int seen = atomic_load_explicit(&top, memory_order_acquire);
  do store(&below[node], seen);
  while (!atomic_compare_exchange_strong_explicit(&top, &seen, node, memory_order_acq_rel,
                                                  memory_order_acquire));
}

static int pop(void) {
  int seen = atomic_load_explicit(&top, memory_order_acquire);
  while (seen != 0 &&
         !atomic_compare_exchange_strong_explicit(&top, &seen, load(&below[seen]), memory_order_acq_rel,
                                                  memory_order_acquire)) {
  }
  return seen;
}

static void* user(void* number) {
  push(number_of(number) + 1);
  assert(pop() != 0);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  atomic_init(&top, 0);
  init_all(below, N + 1, 0);
  create_all(threads, N, user);
  join_all(threads, N);
  return 0;
}
