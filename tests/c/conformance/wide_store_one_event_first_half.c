// A relaxed store to a word is seen whole by who reads its halves in their order.
// expect: all safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
union {
  _Atomic uint64_t w;
  struct {
    _Atomic uint32_t lo, hi;
  };
} u;
static void* writer(void* x) {
  atomic_store_explicit(&u.w, 0x100000001ull, memory_order_relaxed);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  uint32_t l = atomic_load_explicit(&u.lo, memory_order_relaxed);
  uint32_t h = atomic_load_explicit(&u.hi, memory_order_relaxed);
  assert(!(l == 1 && h == 0));
  pthread_join(t, 0);
  return 0;
}
