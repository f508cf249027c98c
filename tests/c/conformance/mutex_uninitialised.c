// expect: all unsafe memory
// Locking a mutex on the heap that was never initialised.
#include <pthread.h>
#include <stdlib.h>

int main(void) {
  pthread_mutex_t* mutex = malloc(sizeof *mutex);
  pthread_mutex_lock(mutex);
  return 0;
}
