// expect: all safe
// native: 0
// A condition variable used right: under the mutex, with the condition tested in a loop.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void* producer(void* unused) {
  pthread_mutex_lock(&mutex);
  data = 5;
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, producer, NULL);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  assert(data == 5);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  return 0;
}
