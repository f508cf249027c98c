// Relaxed accesses to variables that only one thread knows drain nothing.
// expect: sc safe, tso unsafe assertion, pso unsafe assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x, y, seen_x, seen_y;
static _Thread_local atomic_int own;

static void *left(void *argument) {
  atomic_int here = 0;
  x = 1;
  atomic_store_explicit(&here, 1, memory_order_release);
  seen_y = y;
  return argument;
}

static void *right(void *argument) {
  y = 1;
  atomic_store(&own, 1);
  seen_x = x;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, left, 0);
  pthread_create(&threads[1], 0, right, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(seen_x || seen_y);
}
