// expect: all safe
// An atomic function that assumes waits until it can run as a whole: a lock made of it excludes.
extern void __VERIFIER_assume(int);
#include <assert.h>
#include <pthread.h>

int lock, inside;

void __VERIFIER_atomic_lock(void) {
  __VERIFIER_assume(lock == 0);
  lock = 1;
}
void __VERIFIER_atomic_unlock(void) {
  assert(lock == 1);
  lock = 0;
}

void* worker(void* arg) {
  __VERIFIER_atomic_lock();
  inside++;
  assert(inside == 1);
  inside--;
  __VERIFIER_atomic_unlock();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
