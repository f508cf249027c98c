// Figure 4.4a of [Toman21]: three threads write the same value to one variable N times, and one of them reads
// it after each of its writes.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* writer(void* unused) {
  for (int i = 0; i < N; i++) atomic_store_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

static void* reader(void* unused) {
  for (int i = 0; i < N; i++) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_load_explicit(&x, memory_order_relaxed);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  pthread_create(&threads[2], NULL, writer, NULL);
  return 0;
}
