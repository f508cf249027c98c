// expect: all safe
// A sequence lock with its two store barriers: the data stays behind the odd counter, and before the even
// one. On x86 these are no instructions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int left, right;  // the data: always equal

static void write_both(int value) {
  const unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&left, value, memory_order_relaxed);
  atomic_store_explicit(&right, value, memory_order_relaxed);
  atomic_store_explicit(&sequence, before + 2, memory_order_release);
}

static int read_both(int* l, int* r) {
  const unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
  *l = atomic_load_explicit(&left, memory_order_relaxed);
  *r = atomic_load_explicit(&right, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  return before % 2 == 0 && atomic_load_explicit(&sequence, memory_order_relaxed) == before;
}

static void* writer(void* unused) {
  write_both(1);
  write_both(2);
  return unused;
}

static void* reader(void* unused) {
  int l, r;
  while (!read_both(&l, &r)) {
  }
  assert(l == r);
  return unused;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  return 0;
}
