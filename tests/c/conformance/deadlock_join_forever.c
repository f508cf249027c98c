// expect: all unsafe deadlock
// main joins a thread that waits for a mutex which main holds.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
