// expect: all safe
// exit ends all threads, also in the middle.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile int turn;

static void* worker(void* unused) {
  turn = 1;
  exit(0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  assert(0);
}
