// A relaxed store to a word waits in the buffer, for a load of its half too.
// expect: sc safe, tso unsafe assertion, pso unsafe assertion
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
_Atomic int y;
int r1, r2;
static void* one(void* x) {
  atomic_store_explicit(&u.w, 0x100000001ull, memory_order_relaxed);
  r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return x;
}
static void* two(void* x) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  r2 = (int)atomic_load_explicit(&u.hi, memory_order_relaxed);
  return x;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r1 || r2);
  return 0;
}
