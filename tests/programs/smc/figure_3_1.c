// explore sc mazurkiewicz 4
// explore sc observers 3
// explore sc rf 2
// explore tso rf 2
// explore sc dc 2
// explore sc vc 1
// explore sc rvf 1
// explore tso rvf 1
// explore pso rvf 1
//
// Figure 3.1 of [Toman21]: whatever is written last, 1 is read.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* writer(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

static void* reader(void* unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  return 0;
}
