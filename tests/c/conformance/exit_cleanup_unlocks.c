// expect: all unsafe deadlock
// A handler that would unlock the mutex is popped too early: the thread ends with the lock.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *lock) { pthread_mutex_unlock(lock); }

static void *work(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  if (unused) pthread_exit(NULL);
  pthread_cleanup_pop(0);
  pthread_exit(NULL);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, &thread);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  return 0;
}
