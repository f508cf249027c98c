// Figure 3.2a of [Toman21]: one thread writes the initial value N times, another reads it N times.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* writer(void* unused) {
  for (int i = 0; i < N; i++) atomic_store_explicit(&x, 0, memory_order_relaxed);
  return NULL;
}

static void* reader(void* unused) {
  for (int i = 0; i < N; i++) atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  return 0;
}
