// expect: all unsafe race
// options: --races
// A fence that acquires must come behind the load.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
static int seen;

static void* writer(void* unused) {
  data = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  atomic_thread_fence(memory_order_acquire);
  if (atomic_load_explicit(&flag, memory_order_relaxed)) seen = data;
  pthread_join(thread, NULL);
  return 0;
}
