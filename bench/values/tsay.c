// Tsay's algorithm for two threads: as Peterson's, but a thread looks at the interest of the other only once
// and then waits on one variable, which the other writes on its way out.
#include "mutex.h"

static atomic_int interested[2], last;

static int enter(int me) {
  store(&interested[me], 1);
  store(&last, me);
  if (!load(&interested[1 - me]) || load(&last) != me) return 1;
  leave(me);
  return 0;
}

static void leave(int me) {
  store(&interested[me], 0);
  store(&last, me);
}
