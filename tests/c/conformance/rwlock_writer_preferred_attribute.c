// expect: all unsafe deadlock
// The same by an attribute.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static pthread_rwlock_t* lock;

static void* writer(void* unused) {
  pthread_rwlock_wrlock(lock);
  pthread_rwlock_unlock(lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_rwlockattr_t attributes;
  lock = malloc(sizeof *lock);
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(lock, &attributes);
  pthread_create(&t, NULL, writer, NULL);
  pthread_rwlock_rdlock(lock);
  pthread_rwlock_rdlock(lock);
  pthread_rwlock_unlock(lock);
  pthread_rwlock_unlock(lock);
  pthread_join(t, NULL);
  return 0;
}
