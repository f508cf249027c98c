// expect: all unsafe assertion
// message: error == 0
// A timed lock may time out as long as another thread holds the mutex.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  struct timespec deadline = {100, 0};
  int error = pthread_mutex_timedlock(&mutex, &deadline);
  assert(error == 0 || error == ETIMEDOUT);
  assert(error == 0);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  return 0;
}
