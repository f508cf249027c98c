// expect: all safe
// A thread's own store may still be buffered when its variable ends: nobody else can see the difference.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(atomic_int*) published;
static atomic_int seen;

static void* reader(void* unused) {
  return atomic_load_explicit(&seen, memory_order_relaxed) > 1 ? NULL : unused;
}

static void publish(int round) {
  atomic_int slot;
  atomic_store_explicit(&published, &slot, memory_order_relaxed);
  atomic_store_explicit(&slot, round, memory_order_relaxed);
  atomic_store_explicit(&seen, round, memory_order_relaxed);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  publish(1);
  publish(2);
  pthread_join(thread, NULL);
  return 0;
}
