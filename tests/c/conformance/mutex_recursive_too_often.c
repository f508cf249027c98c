// expect: all unsafe assertion
// message: unlocks a mutex that it does not hold
// A recursive mutex that is unlocked once more than it was locked.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
