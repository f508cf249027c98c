// expect: all unsafe race
// options: --races
// One side takes the mutex, the other forgets it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  shared = shared + 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  shared = 5;
  pthread_join(t, NULL);
  return 0;
}
