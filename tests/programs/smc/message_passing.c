// explore sc mazurkiewicz 3
// explore tso mazurkiewicz 3
// explore pso mazurkiewicz 4
//
// Data and then a flag are written; the flag and then the data are read. Under PSO the flag can come first.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int data, flag;

static void* sender(void* unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return NULL;
}

static void* receiver(void* unused) {
  atomic_load_explicit(&flag, memory_order_relaxed);
  atomic_load_explicit(&data, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, sender, NULL);
  pthread_create(&threads[1], NULL, receiver, NULL);
  return 0;
}
