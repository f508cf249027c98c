// expect: all unsafe race
// options: --races
// A race on a local variable of main that two threads were given.
#include <pthread.h>

static void* worker(void* argument) {
  ++*(int*)argument;
  return NULL;
}

int main(void) {
  int shared = 0;
  pthread_t a, b;
  pthread_create(&a, NULL, worker, &shared);
  pthread_create(&b, NULL, worker, &shared);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return shared == 3;
}
