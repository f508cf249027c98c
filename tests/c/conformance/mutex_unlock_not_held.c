// expect: all unsafe assertion
// message: unlocks a mutex that it does not hold
// Unlocking a mutex that nobody holds.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
