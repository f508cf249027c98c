// expect: all safe
// native: 0
// Locals inside loops whose addresses go to threads.
#include <assert.h>
#include <pthread.h>

static void* increment(void* argument) {
  ++*(int*)argument;
  return NULL;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int own = 10 * i;
    pthread_t t;
    pthread_create(&t, NULL, increment, &own);
    pthread_join(t, NULL);
    sum += own;
  }
  assert(sum == 33);
  return 0;
}
