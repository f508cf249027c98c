// N threads count up: N! executions.
#include "threads.h"

static atomic_int x;

static void* counter(void* unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[N];
  atomic_init(&x, 0);
  create_all(threads, N, counter);
  join_all(threads, N);
  assert(load(&x) == N);
  return 0;
}
