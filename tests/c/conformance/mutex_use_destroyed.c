// expect: all unsafe assertion
// message: mutex that was destroyed
// Locking a mutex after it was destroyed.
#include <pthread.h>

static pthread_mutex_t mutex;

int main(void) {
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_destroy(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
