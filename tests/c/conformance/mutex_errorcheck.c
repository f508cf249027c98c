// expect: all safe
// native: 0
// Error-checking mutexes say what is wrong.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void* worker(void* unused) {
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_destroy(&mutex) == 0);
  return 0;
}
