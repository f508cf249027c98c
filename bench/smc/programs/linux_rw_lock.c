// The reader-writer lock that Linux once had: readers take 1 from a counter, writers all of it, and who has come
// too late gives back what it took, waits and tries again. Each of N threads reads once and writes once.
#include "threads.h"

enum { ALL = 0x100000 };

static atomic_int left;
static int shared;

static void take(int amount, int enough) {
  while (atomic_fetch_sub_explicit(&left, amount, memory_order_acquire) < enough) {
    atomic_fetch_add_explicit(&left, amount, memory_order_relaxed);
    while (load(&left) < enough) {
    }
  }
}

static void give(int amount) { atomic_fetch_add_explicit(&left, amount, memory_order_release); }

static void* reader_and_writer(void* number) {
  take(1, 1);
  int seen = shared;
  give(1);
  take(ALL, ALL);
  shared = number_of(number);
  assert(shared == number_of(number));
  give(ALL);
  return (void*)(intptr_t)seen;
}

int main(void) {
  pthread_t threads[N];
  atomic_init(&left, ALL);
  create_all(threads, N, reader_and_writer);
  join_all(threads, N);
  return 0;
}
