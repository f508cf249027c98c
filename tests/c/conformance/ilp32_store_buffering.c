// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// compiler: -m32
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(long *) first, second;
static long zero;
static int seen[2];

static void *left(void *unused) {
  atomic_store_explicit(&first, &zero, memory_order_relaxed);
  seen[0] = atomic_load_explicit(&second, memory_order_relaxed) == &zero;
  return unused;
}

static void *right(void *unused) {
  atomic_store_explicit(&second, &zero, memory_order_relaxed);
  seen[1] = atomic_load_explicit(&first, memory_order_relaxed) == &zero;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(seen[0] || seen[1]);
  return 0;
}
