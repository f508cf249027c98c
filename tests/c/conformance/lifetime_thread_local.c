// expect: all unsafe memory
// message: 'own'
// A thread-local variable ends with its thread.
#include <assert.h>
#include <pthread.h>

static _Thread_local int own = 1;
static int* volatile kept;

static void* work(void* unused) {
  own = 2;
  kept = &own;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  assert(*kept == 2);
  return 0;
}
