// Peterson's algorithm for two threads [Peterson81]: whoever is the last to give way waits.
#include "mutex.h"

static atomic_int interested[2], turn;

static int enter(int me) {
  store(&interested[me], 1);
  store(&turn, 1 - me);
  if (!load(&interested[1 - me]) || load(&turn) == me) return 1;
  leave(me);
  return 0;
}

static void leave(int me) { store(&interested[me], 0); }
