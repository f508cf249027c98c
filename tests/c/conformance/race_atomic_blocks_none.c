// expect: all safe
// options: --races
// A lock made of atomic blocks orders what it protects.
#include <pthread.h>

void __VERIFIER_assume(int);

static int taken, shared_count;

static void __VERIFIER_atomic_take(void) {
  __VERIFIER_assume(taken == 0);
  taken = 1;
}

static void __VERIFIER_atomic_give_back(void) { taken = 0; }

static void* worker(void* unused) {
  __VERIFIER_atomic_take();
  shared_count++;
  __VERIFIER_atomic_give_back();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  worker(NULL);
  pthread_join(thread, NULL);
  return 0;
}
