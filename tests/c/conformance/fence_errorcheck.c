// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// That an error-checking mutex is not held is seen by a load: it does not drain the buffer.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  y = 1;
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  r2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&mutex);
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
