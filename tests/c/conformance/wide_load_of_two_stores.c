// Stores to the halves of a word reach memory in their order, but for PSO.
// expect: sc safe, tso safe, pso unsafe assertion
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
  atomic_store_explicit(&u.lo, 1, memory_order_relaxed);
  atomic_store_explicit(&u.hi, 1, memory_order_relaxed);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  uint64_t w = atomic_load_explicit(&u.w, memory_order_relaxed);
  assert(w != 0x100000000ull);
  pthread_join(t, 0);
  return 0;
}
