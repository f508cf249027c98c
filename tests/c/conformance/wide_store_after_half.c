// A store to a word does not overtake an earlier one to its half, under PSO either.
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
static void* one(void* x) {
  atomic_store_explicit(&u.lo, 1, memory_order_relaxed);
  atomic_store_explicit(&u.w, 0x200000002ull, memory_order_relaxed);
  return x;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, one, 0);
  uint32_t h = atomic_load_explicit(&u.hi, memory_order_relaxed);
  uint32_t l = atomic_load_explicit(&u.lo, memory_order_relaxed);
  assert(!(h == 2 && l != 2));
  pthread_join(a, 0);
  assert(atomic_load(&u.w) == 0x200000002ull);
  return 0;
}
