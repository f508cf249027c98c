// expect: all unsafe assertion
// message: !first_woke
// options: --no-deadlock
// Which of the waiting threads a signal wakes is not said: any one.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waiting, tokens, first_woke;

static void* worker(void* argument) {
  pthread_mutex_lock(&mutex);
  int position = waiting++;
  while (!tokens) pthread_cond_wait(&condition, &mutex);
  tokens = 0;
  if (position == 0) first_woke = 1;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  int both = 0;
  pthread_mutex_lock(&mutex);
  if (waiting == 2) {
    both = 1;
    tokens = 1;
    pthread_cond_signal(&condition);
  }
  pthread_mutex_unlock(&mutex);
  if (!both) pthread_exit(NULL);
  pthread_mutex_lock(&mutex);
  if (tokens == 0) assert(!first_woke);
  pthread_mutex_unlock(&mutex);
  return 0;
}
