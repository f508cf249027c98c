// expect: all unsafe assertion
// message: !second_woke
// options: --no-deadlock
// The counterpart of condition_any_waiter.c: the thread that came second may be woken as well.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waiting, tokens, second_woke;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  int position = waiting++;
  while (!tokens) pthread_cond_wait(&condition, &mutex);
  tokens = 0;
  if (position == 1) second_woke = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_mutex_lock(&mutex);
  int both = waiting == 2;
  tokens = both;
  if (both) pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  if (both && tokens == 0) assert(!second_woke);
  pthread_mutex_unlock(&mutex);
  return 0;
}
