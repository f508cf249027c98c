// expect: all safe
// A ring buffer for one producer and one consumer whose indices are published with release stores: an item is
// there before the index says so, and a place is free before the index says so. On x86 that costs nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { kSize = 2, kItems = 3 };

static int items[kSize];
static atomic_uint written, taken;  // how many in all

static bool put(int item) {
  const unsigned w = atomic_load_explicit(&written, memory_order_relaxed);
  if (w - atomic_load_explicit(&taken, memory_order_acquire) == kSize) return false;
  items[w % kSize] = item;
  atomic_store_explicit(&written, w + 1, memory_order_release);
  return true;
}

static bool get(int* item) {
  const unsigned t = atomic_load_explicit(&taken, memory_order_relaxed);
  if (t == atomic_load_explicit(&written, memory_order_acquire)) return false;
  *item = items[t % kSize];
  atomic_store_explicit(&taken, t + 1, memory_order_release);
  return true;
}

static void* producer(void* unused) {
  for (int i = 1; i <= kItems; i++) {
    while (!put(i)) {
    }
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, producer, NULL);
  for (int i = 1; i <= kItems; i++) {
    int item;
    while (!get(&item)) {
    }
    assert(item == i);
  }
  pthread_join(t, NULL);
  return 0;
}
