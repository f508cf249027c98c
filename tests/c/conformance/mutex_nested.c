// expect: all safe
// native: 0
// Two mutexes, nested in one order, released in either.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void* worker(void* unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  x++;
  y++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  x++;
  y++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, NULL);
  assert(x == 2 && y == 2);
  return 0;
}
