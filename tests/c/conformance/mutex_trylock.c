// expect: all safe
// native: 0
// pthread_mutex_trylock says EBUSY for a mutex that is held, also by the thread itself.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void* worker(void* unused) {
  int error = pthread_mutex_trylock(&mutex);
  assert(error == EBUSY);
  return unused;
}

int main(void) {
  assert(pthread_mutex_trylock(&mutex) == 0);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  pthread_mutex_unlock(&mutex);
  assert(pthread_mutex_trylock(&mutex) == 0);
  taken = 1;
  pthread_mutex_unlock(&mutex);
  return taken - 1;
}
