// expect: all unsafe race
// options: --races
// Two threads access an ordinary variable at once, one of them writes.
#include <pthread.h>

static int shared;

static void* worker(void* unused) {
  shared = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int copy = shared;
  pthread_join(t, NULL);
  return copy == 7;
}
