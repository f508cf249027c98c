// expect: all unsafe assertion
// message: handled
// native: -6
// exit from a thread runs what main registered.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int handled = 1;
static void handler(void) { assert(!handled); }
static void* worker(void* unused) {
  exit(0);
  return unused;
}

int main(void) {
  atexit(handler);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
