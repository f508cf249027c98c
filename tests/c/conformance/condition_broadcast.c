// expect: all safe
// native: 0
// A broadcast wakes all; the condition variable is destroyed and released at once after it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex;
static pthread_cond_t* condition;
static int waiting, open, passed;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  waiting++;
  while (!open) pthread_cond_wait(condition, &mutex);
  passed++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  condition = malloc(sizeof *condition);
  pthread_mutex_init(&mutex, NULL);
  pthread_cond_init(condition, NULL);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  for (int done = 0; !done;) {
    pthread_mutex_lock(&mutex);
    if (waiting == 2) {
      open = done = 1;
      pthread_cond_broadcast(condition);
      pthread_cond_destroy(condition);
      free(condition);
    }
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(passed == 2);
  return 0;
}
