// expect: all safe
// Store buffering where the store is an exchange, whatever its order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

void* left(void* unused) {
  atomic_exchange_explicit(&x, 1, memory_order_relaxed);
  r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}
void* right(void* unused) {
  __atomic_exchange_n((int*)&y, 1, __ATOMIC_RELAXED);
  r2 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
