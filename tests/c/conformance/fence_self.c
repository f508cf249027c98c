// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// pthread_self is no fence, nor are pthread_equal and sched_yield.
#include <assert.h>
#include <pthread.h>

static void look(void) { assert(pthread_equal(pthread_self(), pthread_self())); }
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  look();
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  y = 1;
  look();
  r2 = x;
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
