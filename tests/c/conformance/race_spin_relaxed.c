// expect: all unsafe race
// options: --races
// The same lock, but who takes it does not acquire.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int shared_count;

static void add_one(void) {
  while (atomic_exchange_explicit(&taken, 1, memory_order_relaxed)) {
  }
  shared_count++;
  atomic_store_explicit(&taken, 0, memory_order_release);
}

static void* worker(void* unused) {
  add_one();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  add_one();
  pthread_join(thread, NULL);
  return 0;
}
