// expect: sc safe, tso safe, pso unsafe memory
// A store into another thread's variable is still buffered when that thread leaves the block of the variable.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int *result, done;

static void* writer(void* unused) {
  atomic_store_explicit(result, 1, memory_order_relaxed);
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  {
    atomic_int slot = 0;
    result = &slot;
    pthread_create(&thread, NULL, writer, NULL);
    while (!atomic_load_explicit(&done, memory_order_relaxed)) continue;
  }
  pthread_join(thread, NULL);
  return 0;
}
