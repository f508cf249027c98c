// expect: sc safe
// One thread writes a variable that READERS others read, each before or after the write: 2^READERS executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 14
#endif

static atomic_int x;

static void* writer(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

static void* reader(void* unused) {
  assert(atomic_load_explicit(&x, memory_order_relaxed) <= 1);
  return unused;
}

int main(void) {
  pthread_t threads[READERS + 1];
  pthread_create(&threads[0], NULL, writer, NULL);
  for (int i = 1; i <= READERS; i++) pthread_create(&threads[i], NULL, reader, NULL);
  return 0;
}
