// expect: all unsafe deadlock
// Waiting with a recursive mutex that is locked twice gives back only one of the two: nobody can signal.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  return 0;
}
