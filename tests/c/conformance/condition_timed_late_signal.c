// expect: all unsafe assertion
// message: !(error == ETIMEDOUT && ready)
// The time may run out before the mutex is free again: then the condition holds although the wait timed out.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void* producer(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  struct timespec deadline = {100, 0};
  pthread_t t;
  pthread_create(&t, NULL, producer, NULL);
  pthread_mutex_lock(&mutex);
  int error = 0;
  if (!ready) error = pthread_cond_timedwait(&condition, &mutex, &deadline);
  assert(!(error == ETIMEDOUT && ready));
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  return 0;
}
