// Each byte comes from the newest store in the buffer that holds it.
// expect: all safe
// native: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
union {
  _Atomic uint64_t w;
  struct {
    _Atomic uint32_t lo, hi;
  };
  _Atomic uint8_t b[8];
} u;
static void* one(void* x) {
  atomic_store_explicit(&u.w, 0x1122334455667788ull, memory_order_relaxed);
  atomic_store_explicit(&u.b[1], 0, memory_order_relaxed);
  assert(atomic_load_explicit(&u.lo, memory_order_relaxed) == 0x55660088);
  assert(atomic_load_explicit(&u.b[7], memory_order_relaxed) == 0x11);
  assert(atomic_load_explicit(&u.w, memory_order_relaxed) == 0x1122334455660088ull);
  return x;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, one, 0);
  pthread_join(a, 0);
  return 0;
}
