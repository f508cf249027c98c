// expect: all unsafe assertion
// options: --no-deadlock
// message: destroys a condition variable that a thread waits for
// Destroying a condition variable while a thread waits for it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static int waits;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  waits = 1;
  pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  if (waits) pthread_cond_destroy(&condition);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return 0;
}
