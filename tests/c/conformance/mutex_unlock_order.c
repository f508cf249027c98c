// expect: all unsafe assertion
// message: unlocks a mutex that it does not hold
// Three mutexes, released in another order than taken; the last release is one too many.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&c);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&c);
  pthread_mutex_unlock(&a);
  return 0;
}
