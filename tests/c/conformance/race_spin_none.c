// expect: all safe
// options: --races
// A lock of one's own: acquire to take it, release to give it back, and a relaxed look while it is taken.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int shared_count;

static void add_one(void) {
  while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
    while (atomic_load_explicit(&taken, memory_order_relaxed)) {
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
