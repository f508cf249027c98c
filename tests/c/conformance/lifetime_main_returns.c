// expect: all unsafe memory
// message: 'x'
// The locals of main end when it returns.
#include <assert.h>
#include <pthread.h>

static void* work(void* argument) {
  assert(*(int*)argument == 3);
  return NULL;
}

int main(void) {
  int x = 3;
  pthread_t t;
  pthread_create(&t, NULL, work, &x);
  return 0;
}
