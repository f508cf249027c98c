// expect: all safe
// native: 0
// Recursive mutexes, by attribute and by initialiser.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t by_attribute;
static pthread_mutex_t by_initialiser = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int depth_sum;

static void descend(pthread_mutex_t* mutex, int depth) {
  pthread_mutex_lock(mutex);
  depth_sum += depth;
  if (depth > 0) descend(mutex, depth - 1);
  pthread_mutex_unlock(mutex);
}
static void* worker(void* unused) {
  descend(&by_attribute, 2);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE) == 0);
  int kind;
  assert(pthread_mutexattr_gettype(&attributes, &kind) == 0 && kind == PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&by_attribute, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  descend(&by_attribute, 1);
  pthread_join(t, NULL);
  assert(depth_sum == 4);
  descend(&by_initialiser, 2);
  assert(depth_sum == 7);
  assert(pthread_mutex_trylock(&by_initialiser) == 0 && pthread_mutex_trylock(&by_initialiser) == 0);
  pthread_mutex_unlock(&by_initialiser);
  pthread_mutex_unlock(&by_initialiser);
  return 0;
}
