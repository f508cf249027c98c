// expect: all unsafe assertion
// message: unlocks a spin lock that it does not hold
// Unlocking a spin lock that is free.
#include <pthread.h>
#include <stdlib.h>

static pthread_spinlock_t lock;

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_unlock(&lock);
  return 0;
}
