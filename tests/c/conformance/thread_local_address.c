// expect: all safe
// native: 0
// The address of a thread-local variable is given to another thread.
#include <assert.h>
#include <pthread.h>

static _Thread_local int own = 1;

static void* worker(void* argument) {
  int* theirs = argument;
  assert(theirs != &own && *theirs == 5 && own == 1);
  *theirs = 6;
  own = 2;
  return NULL;
}

int main(void) {
  own = 5;
  pthread_t t;
  pthread_create(&t, NULL, worker, &own);
  pthread_join(t, NULL);
  assert(own == 6);
  return 0;
}
