// explore sc mazurkiewicz 5040
// explore sc rf 7
// explore sc rvf 1
// explore tso rvf 1
// explore pso rvf 1
//
// Six threads write the value that a variable has already, and another thread reads it: whatever it reads from,
// it reads the same.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { WRITERS = 6 };

static atomic_int x;

static void* writer(void* unused) {
  atomic_store_explicit(&x, 0, memory_order_relaxed);
  return NULL;
}

static void* reader(void* unused) {
  atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[WRITERS + 1];
  for (int i = 0; i < WRITERS; i++) pthread_create(&threads[i], NULL, writer, NULL);
  pthread_create(&threads[WRITERS], NULL, reader, NULL);
  return 0;
}
