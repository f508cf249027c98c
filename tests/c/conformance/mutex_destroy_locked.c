// expect: all unsafe assertion
// message: destroys a locked mutex
// Destroying a mutex while it is held.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_destroy(&mutex);
  return 0;
}
