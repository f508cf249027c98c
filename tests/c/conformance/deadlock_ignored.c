// expect: all safe
// options: --no-deadlock
// The same deadlock when nobody asks for it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
