// expect: all safe
// native: 0
// A thread waits for a flag in a loop; the loop is no infinite execution, and needs no bound.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void* producer(void* unused) {
  data = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, producer, NULL);
  while (!atomic_load_explicit(&ready, memory_order_acquire)) {
  }
  assert(data == 42);
  pthread_join(t, NULL);
  return 0;
}
