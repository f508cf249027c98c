// expect: all unsafe race
// options: --races --no-deadlock
// message: data race on mutex
// A mutex is initialised while another thread may already lock it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* locker(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, locker, NULL);
  pthread_mutex_init(&mutex, NULL);
  pthread_join(thread, NULL);
  return 0;
}
