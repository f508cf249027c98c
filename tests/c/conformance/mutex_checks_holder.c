// expect: all safe
// native: 0
// Mutexes that know their holder answer with an error to who does not hold them.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* other(void* unused) {
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_unlock(&checked) == EPERM);
  assert(pthread_cond_wait(&condition, &checked) == EPERM);
  return unused;
}

int main(void) {
  pthread_t t;
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&checked);
  pthread_create(&t, NULL, other, NULL);
  pthread_join(t, NULL);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&checked) == 0);
  return 0;
}
