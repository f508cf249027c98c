// expect: all unsafe assertion
// When main has left, exit handlers run after the last thread has ended.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;

static void check(void) { assert(done == 0); }

static void* work(void* unused) {
  done = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  atexit(check);
  pthread_create(&t, NULL, work, NULL);
  pthread_exit(NULL);
}
