// expect: all unsafe assertion
// message: unlocks a read-write lock that it does not hold
// Who reads one lock unlocks another one, which somebody else may be reading.
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&b);
  pthread_rwlock_unlock(&b);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  pthread_rwlock_rdlock(&a);
  pthread_rwlock_unlock(&b);
  pthread_join(t, NULL);
  return 0;
}
