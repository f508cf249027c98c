// expect: all unsafe memory
// One thread releases what another still uses.
#include <pthread.h>
#include <stdlib.h>

static int* shared;

static void* worker(void* unused) {
  *shared = 2;
  return unused;
}

int main(void) {
  shared = malloc(sizeof *shared);
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  free(shared);
  pthread_join(t, NULL);
  return 0;
}
