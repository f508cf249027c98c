// expect: sc unsafe deadlock, tso unsafe deadlock, pso unsafe deadlock
// Stolen wake-up: one condition variable for two conditions, and a signal where a broadcast is needed. The
// signal wakes the other producer, who has nothing to do with it, and the consumer sleeps on.
#include <pthread.h>

static int items, wanted = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* consumer(void* unused) {
  pthread_mutex_lock(&m);
  while (items == 0) pthread_cond_wait(&changed, &m);
  --items;
  pthread_mutex_unlock(&m);
  return unused;
}

static void* auditor(void* unused) {
  pthread_mutex_lock(&m);
  while (wanted) pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, consumer, NULL);
  pthread_create(&two, NULL, auditor, NULL);
  pthread_mutex_lock(&m);
  items = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  pthread_join(one, NULL);
  pthread_mutex_lock(&m);
  wanted = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
  pthread_join(two, NULL);
}
