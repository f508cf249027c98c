// expect: all unsafe race
// options: --races
// A race on a member of a structure on the heap.
#include <pthread.h>
#include <stdlib.h>

struct pair {
  int a, b;
};

static void* worker(void* argument) {
  struct pair* pair = argument;
  pair->a = 1;
  pair->b = 1;
  return NULL;
}

int main(void) {
  struct pair* pair = calloc(1, sizeof *pair);
  pthread_t t;
  pthread_create(&t, NULL, worker, pair);
  pair->b = 2;
  pthread_join(t, NULL);
  free(pair);
  return 0;
}
