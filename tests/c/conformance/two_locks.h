// Two threads that take the mutexes a and b one after the other: the first in this order, the second as OTHER_ORDER says.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void take_both(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  done++;
}

static void* one(void* unused) {
  take_both(&a, &b);
  return unused;
}

static void* other(void* unused) {
  take_both(OTHER_ORDER);
  return unused;
}

static void start_both(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, one, NULL);
  pthread_create(&threads[1], NULL, other, NULL);
}
