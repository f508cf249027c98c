// expect: all unsafe deadlock
// The same buffer with one condition variable for both sides and `signal`: the wrong thread can be woken.
#include <pthread.h>

static int full;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* producer(void* unused) {
  pthread_mutex_lock(&mutex);
  while (full) pthread_cond_wait(&changed, &mutex);
  full = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void* consumer(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!full) pthread_cond_wait(&changed, &mutex);
  full = 0;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, producer, NULL);
  for (int i = 2; i < 4; i++) pthread_create(&t[i], NULL, consumer, NULL);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return 0;
}
