// expect: all safe
// Locking or unlocking any mutex between store and load drains the buffer.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  pthread_mutex_lock(&a);
  r1 = y;
  pthread_mutex_unlock(&a);
  return unused;
}
static void* right(void* unused) {
  pthread_mutex_lock(&b);
  y = 1;
  pthread_mutex_unlock(&b);
  r2 = x;
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
