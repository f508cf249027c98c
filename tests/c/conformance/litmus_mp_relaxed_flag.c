// expect: sc safe, tso safe, pso unsafe assertion
// Message passing with a relaxed flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;
int r1, r2;

void* left(void* unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}
void* right(void* unused) {
  r1 = atomic_load_explicit(&flag, memory_order_acquire);
  r2 = data;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(r1 == 1 && r2 == 0));
  return 0;
}
