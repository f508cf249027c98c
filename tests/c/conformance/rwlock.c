// expect: all safe
// native: 0
// Readers see a whole update or none; writers are alone.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock);
  a++;
  b++;
  pthread_rwlock_unlock(&lock);
  return unused;
}
static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  assert(a == b);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  assert(pthread_rwlock_rdlock(&lock) == 0 && pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY && pthread_rwlock_rdlock(&lock) == EDEADLK);
  pthread_rwlock_unlock(&lock);
  pthread_t r, w;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_rwlock_wrlock(&lock);
  a--;
  b--;
  pthread_rwlock_unlock(&lock);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  assert(a == 0 && b == 0);
  assert(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
