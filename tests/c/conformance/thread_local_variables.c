// expect: all safe
// native: 0
// Each thread has its own copy of thread-local variables, with the initial values.
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter = 10;
static __thread int array[3] = {1, 2, 3};
static _Thread_local int zero;
static int seen;

static int bump(void) {
  static _Thread_local int calls;
  return ++calls;
}
static void* worker(void* unused) {
  assert(counter == 10 && array[1] == 2 && zero == 0 && bump() == 1);
  counter += 5;
  array[1] = 20;
  zero = 1;
  assert(counter == 15 && array[1] == 20 && bump() == 2);
  seen = counter;
  return unused;
}

int main(void) {
  counter = 99;
  array[1] = 77;
  bump();
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  assert(counter == 99 && array[1] == 77 && zero == 0 && seen == 15 && bump() == 2);
  return 0;
}
