// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Without smp_mb() between its store and its load each thread may miss the other one.
#include <pthread.h>

#include "../../../headers/weir/kernel.h"

static int x, y, saw_x, saw_y;

static void *first(void *none) {
  WRITE_ONCE(x, 1);
  saw_y = READ_ONCE(y);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, first, 0);
  WRITE_ONCE(y, 1);
  saw_x = READ_ONCE(x);
  pthread_join(thread, 0);
  BUG_ON(!saw_x && !saw_y);
  return 0;
}
