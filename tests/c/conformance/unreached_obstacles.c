// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// What is not supported matters only to an execution that reaches it.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

int missing_function(int) __attribute__((weak));
static jmp_buf place;
static atomic_int x, y;
static int a, b;

static long double rarely(void) {
  if (setjmp(place)) __asm__ volatile("hlt");
  return missing_function(1) + 1.5L;
}

static void* left(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  if (a == 2) rarely();
  return unused;
}

static void* right(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  if (b == 2) missing_function(b);
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, left, NULL);
  pthread_create(&t, NULL, right, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(a + b > 0);
  return 0;
}
