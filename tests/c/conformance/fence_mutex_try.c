// expect: all safe
// Trying in vain to lock a mutex is a locked instruction: it drains the buffer.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  y = 1;
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
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
