// Figure 4.4c of [Toman21]: each of N threads writes the same value and reads it back.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* worker(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], NULL, worker, NULL);
  return 0;
}
