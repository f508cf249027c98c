// expect: all safe
// native: 0
// POSIX spin locks.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count;

static void* worker(void* unused) {
  pthread_spin_lock(&lock);
  count++;
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  assert(pthread_spin_trylock(&lock) == 0 && pthread_spin_trylock(&lock) == EBUSY);
  pthread_spin_unlock(&lock);
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(count == 2);
  pthread_spin_destroy(&lock);
  return 0;
}
