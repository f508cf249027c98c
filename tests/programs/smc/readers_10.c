// explore sc mazurkiewicz 1024
// explore sc observers 1024
// explore sc rf 1024
// explore tso mazurkiewicz 1024
// explore tso rf 1024
//
// One thread writes a variable that ten others read, each before or after the write.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { READERS = 10 };

static atomic_int x;

static void* writer(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return NULL;
}

static void* reader(void* unused) {
  atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[READERS + 1];
  pthread_create(&threads[0], NULL, writer, NULL);
  for (int i = 1; i <= READERS; i++) pthread_create(&threads[i], NULL, reader, NULL);
  return 0;
}
