// explore sc mazurkiewicz 3
// explore sc observers 3
// explore sc rf 3
// explore tso mazurkiewicz 4
// explore tso rf 4
// explore pso mazurkiewicz 4
//
// Each thread writes one variable and reads the other. Only with store buffers can both read 0.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void* first(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_load_explicit(&y, memory_order_relaxed);
  return NULL;
}

static void* second(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  return 0;
}
