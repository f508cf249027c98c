// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Sequentially consistent loads are plain loads on x86: relaxed stores before them stay in the buffer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

void* left(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r1 = atomic_load(&y);
  return unused;
}
void* right(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  r2 = atomic_load(&x);
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
