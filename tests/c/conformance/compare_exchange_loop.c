// expect: all safe
// native: 0
// A counter made with compare-and-exchange loops.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 1;

static void* times_three(void* unused) {
  int old = atomic_load_explicit(&value, memory_order_relaxed);
  while (!atomic_compare_exchange_weak(&value, &old, old * 3)) {
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, times_three, NULL);
  pthread_create(&b, NULL, times_three, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(value == 9);
  return 0;
}
