// expect: all safe
// native: 0
// When main has left, exit handlers run after the last thread has ended.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;

static void check(void) { assert(done == 1); }

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
