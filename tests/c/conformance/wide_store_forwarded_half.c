// A thread sees the half of what it wrote before others do.
// expect: sc safe, tso unsafe assertion, pso unsafe assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
union {
  _Atomic uint32_t w;
  _Atomic uint16_t h[2];
} x, y;
int r1, r2;
static void* one(void* p) {
  atomic_store_explicit(&x.w, 0x10001, memory_order_relaxed);
  int own = atomic_load_explicit(&x.h[1], memory_order_relaxed);
  r1 = own == 1 ? atomic_load_explicit(&y.h[0], memory_order_relaxed) : 1;
  return p;
}
static void* two(void* p) {
  atomic_store_explicit(&y.w, 0x10001, memory_order_relaxed);
  int own = atomic_load_explicit(&y.h[1], memory_order_relaxed);
  r2 = own == 1 ? atomic_load_explicit(&x.h[0], memory_order_relaxed) : 1;
  return p;
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
