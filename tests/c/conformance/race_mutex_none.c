// expect: all safe
// options: --races
// What a mutex protects does not race.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  shared++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  shared = 1;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  shared++;
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  return shared;
}
