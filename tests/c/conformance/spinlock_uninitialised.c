// expect: all unsafe assertion
// message: spin lock that is not initialised
// A spin lock without pthread_spin_init is not free.
#include <pthread.h>
#include <stdlib.h>

static pthread_spinlock_t lock;

int main(void) {
  pthread_spin_lock(&lock);
  return 0;
}
