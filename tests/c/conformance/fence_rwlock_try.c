// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Trying in vain to lock a read-write lock is a load: it does not drain the buffer.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int x, y;
static int r1, r2;

static void* left(void* unused) {
  x = 1;
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  r1 = y;
  return unused;
}
static void* right(void* unused) {
  y = 1;
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  r2 = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_rwlock_rdlock(&lock);
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
