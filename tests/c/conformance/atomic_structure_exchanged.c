// Both numbers of an atomic structure of 16 bytes change at once.
// expect: all safe
// compiler: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
typedef struct {
  uint64_t a, b;
} p;
_Atomic p x;
static void* w(void* v) {
  p n = {5, 5};
  atomic_store(&x, n);
  p m = {6, 6};
  p o = atomic_exchange(&x, m);
  assert(o.a == o.b);
  return v;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  p q = atomic_load(&x);
  assert(q.a == q.b);
  p e = {6, 6};
  p n = {7, 7};
  if (atomic_compare_exchange_strong(&x, &e, n)) {
    q = atomic_load_explicit(&x, memory_order_relaxed);
    assert(q.a == 7);
  } else
    assert(e.a == e.b);
  pthread_join(t, 0);
  return 0;
}
