// expect: all unsafe assertion
// message: go_on
// When main calls pthread_exit, the other threads run on.
#include <assert.h>
#include <pthread.h>

static int go_on = 1;

static void* worker(void* unused) {
  assert(!go_on);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_exit(NULL);
  assert(0 && "not reached");
}
