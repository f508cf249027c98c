// expect: all unsafe assertion
// message: unlocks a mutex that it does not hold
// Unlocking a mutex that another thread holds.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
