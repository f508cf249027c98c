// expect: all unsafe deadlock
// One signal wakes one of two threads: the other waits for ever.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int open;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!open) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  open = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
