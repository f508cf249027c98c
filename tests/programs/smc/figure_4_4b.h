// Figure 4.4b of [Toman21]: three threads write the same value to N variables, and one of them reads each
// after its own write.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x[N];

static void* writer(void* unused) {
  for (int i = 0; i < N; i++) atomic_store_explicit(&x[i], 1, memory_order_relaxed);
  return NULL;
}

static void* reader(void* unused) {
  for (int i = 0; i < N; i++) {
    atomic_store_explicit(&x[i], 1, memory_order_relaxed);
    atomic_load_explicit(&x[i], memory_order_relaxed);
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
