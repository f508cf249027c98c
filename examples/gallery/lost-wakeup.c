// expect: sc unsafe deadlock, tso unsafe deadlock, pso unsafe deadlock
// Lost wake-up: the flag is set and signalled without the mutex, between the waiter's test and its wait. Nobody
// waits yet when the signal comes, and nobody signals again.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void* waiter(void* unused) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return unused;
}

static void* setter(void* unused) {
  ready = 1;
  pthread_cond_signal(&c);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, waiter, NULL);
  pthread_create(&two, NULL, setter, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}
