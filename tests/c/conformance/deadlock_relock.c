// expect: all unsafe deadlock
// A thread locks an ordinary mutex that it holds: it waits for ever.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
