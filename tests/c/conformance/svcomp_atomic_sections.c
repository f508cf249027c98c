// expect: all safe
// preprocess: yes
// __VERIFIER_atomic_begin and _end, and functions named __VERIFIER_atomic_*.
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
#include <assert.h>
#include <pthread.h>

int x, y, locked;

void __VERIFIER_atomic_both(int n) {
  x = x + n;
  y = y + n;
}
void __VERIFIER_atomic_acquire(void) {
  __VERIFIER_assume(locked == 0);
  locked = 1;
}

void* worker(void* arg) {
  __VERIFIER_atomic_acquire();
  locked = 0;
  __VERIFIER_atomic_both(2);
  __VERIFIER_atomic_begin();
  x++;
  y++;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  __VERIFIER_atomic_begin();
  int equal = x == y;
  __VERIFIER_atomic_end();
  assert(equal);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 6 && y == 6);
  return 0;
}
