// expect: all unsafe race
// options: --races
// message: data race on x
// An atomic block is no protection from who does without.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;

static void* careful(void* unused) {
  __VERIFIER_atomic_begin();
  x = 1;
  __VERIFIER_atomic_end();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, careful, NULL);
  x = 2;
  pthread_join(thread, NULL);
  return 0;
}
