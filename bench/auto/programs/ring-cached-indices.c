// expect: tso safe
// A ring for one producer and one consumer, each of which keeps a copy of the other's index and looks at the index itself
// only when the copy says that the ring is full, or empty. Who waits stores to its own copy in every round, so that
// buffers have no bound.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef ITEMS
#define ITEMS 4
#endif
enum { kSize = 2 };

static int items[kSize];

static struct {
  atomic_uint written;
  unsigned copy_of_taken;
} producer_side;

static struct {
  atomic_uint taken;
  unsigned copy_of_written;
} consumer_side;

static bool put(int item) {
  const unsigned w = atomic_load_explicit(&producer_side.written, memory_order_relaxed);
  if (w - producer_side.copy_of_taken == kSize) {
    producer_side.copy_of_taken = atomic_load_explicit(&consumer_side.taken, memory_order_acquire);
    if (w - producer_side.copy_of_taken == kSize) return false;
  }
  items[w % kSize] = item;
  atomic_store_explicit(&producer_side.written, w + 1, memory_order_release);
  return true;
}

static bool get(int* item) {
  const unsigned t = atomic_load_explicit(&consumer_side.taken, memory_order_relaxed);
  if (t == consumer_side.copy_of_written) {
    consumer_side.copy_of_written = atomic_load_explicit(&producer_side.written, memory_order_acquire);
    if (t == consumer_side.copy_of_written) return false;
  }
  *item = items[t % kSize];
  atomic_store_explicit(&consumer_side.taken, t + 1, memory_order_release);
  return true;
}

static void* produce(void* unused) {
  for (int i = 1; i <= ITEMS; i++)
    while (!put(i)) {
    }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, produce, NULL);
  for (int i = 1; i <= ITEMS; i++) {
    int item;
    while (!get(&item)) {
    }
    assert(item == i);
  }
  pthread_join(t, NULL);
  return 0;
}
