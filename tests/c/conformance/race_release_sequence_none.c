// expect: all safe
// options: --races
// A relaxed update passes on what the store that it reads from has released.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int steps;

static void* writer(void* unused) {
  data = 1;
  atomic_store_explicit(&steps, 1, memory_order_release);
  return unused;
}

static void* helper(void* unused) {
  int one = 1;
  atomic_compare_exchange_strong_explicit(&steps, &one, 2, memory_order_relaxed, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, helper, NULL);
  if (atomic_load_explicit(&steps, memory_order_acquire) == 2) assert(data == 1);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
