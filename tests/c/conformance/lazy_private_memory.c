// expect: tso unsafe assertion
// options: --engine lazy
// The lazy search emulates the buffers. What a thread stores to memory of its own goes through none, and what it
// frees does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x, y, alone;

static void *p(void *argument) {
  int *number = malloc(sizeof *number);
  *number = 1;
  free(number);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  if (atomic_load_explicit(&y, memory_order_relaxed) == 0) assert(atomic_fetch_add(&alone, 1) == 0);
  return argument;
}

static void *q(void *argument) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  if (atomic_load_explicit(&x, memory_order_relaxed) == 0) assert(atomic_fetch_add(&alone, 1) == 0);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, p, NULL);
  pthread_create(&threads[1], NULL, q, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
