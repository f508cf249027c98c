// expect: all safe
// native: 0
// Waiting with a recursive mutex that is locked once is like waiting with any other; after it the mutex is
// held.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
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
static void* busy(void* unused) {
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_t b;
  pthread_create(&b, NULL, busy, NULL);
  pthread_join(b, NULL);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  return 0;
}
