// expect: all unsafe memory
// message: 'x'
// The same where nobody knows how many rounds there are.
#include <assert.h>
#include <pthread.h>

static volatile int stop;
static int* volatile kept;

static void* stopper(void* unused) {
  stop = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, stopper, NULL);
  while (!stop) {
    int x = 1;
    if (kept) assert(*kept == 1);
    kept = &x;
  }
  pthread_join(t, NULL);
  return 0;
}
