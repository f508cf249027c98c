// expect: all unsafe assertion
// message: unlocks a read-write lock that it does not hold
// Unlocking a read-write lock that is free.
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}
