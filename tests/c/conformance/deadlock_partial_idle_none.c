// expect: all safe
// A thread that waits for a signal while main polls is woken in the end.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int wanted;
static atomic_int seen, released;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!wanted) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  seen = 1;
  return unused;
}

static void* waker(void* unused) {
  while (!released) {
  }
  pthread_mutex_lock(&mutex);
  wanted = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, waiter, NULL);
  pthread_create(&threads[1], NULL, waker, NULL);
  released = 1;
  while (!seen) {
  }
  return 0;
}
