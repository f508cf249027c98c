// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Locking a recursive mutex once more executes no locked instruction: the store before it stays in the
// buffer.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t b = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  pthread_mutex_lock(&a);
  x = 1;
  pthread_mutex_lock(&a);
  r1 = y;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&a);
  return unused;
}
static void* right(void* unused) {
  pthread_mutex_lock(&b);
  y = 1;
  pthread_mutex_lock(&b);
  r2 = x;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, left, NULL);
  pthread_create(&t, NULL, right, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
