// An atomic update of a variable that only this thread knows drains the store buffer like any other.
// expect: all safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x, y, seen_x, seen_y;
static _Thread_local atomic_int own;

static void *left(void *argument) {
  atomic_int here = 0;
  x = 1;
  atomic_fetch_add(&here, 1);
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
