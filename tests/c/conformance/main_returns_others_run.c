// expect: all unsafe assertion
// message: reached
// Returning from main lets the other threads run to their end.
#include <assert.h>
#include <pthread.h>

static volatile int reached;

static void* worker(void* unused) {
  assert(reached == 0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  reached = 1;
  return 0;
}
