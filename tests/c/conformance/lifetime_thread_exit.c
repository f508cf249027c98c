// expect: all unsafe memory
// message: 'x'
// The locals of a thread end with pthread_exit, too.
#include <assert.h>
#include <pthread.h>

static int* volatile kept;

static void* work(void* unused) {
  (void)unused;
  int x = 3;
  kept = &x;
  pthread_exit(NULL);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  assert(*kept == 3);
  return 0;
}
