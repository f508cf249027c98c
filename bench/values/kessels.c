// Kessels' variant of Peterson's algorithm: the turn is made of two bits, so that each variable has a single
// writer.
#include "mutex.h"

static atomic_int interested[2], turn[2];

static int enter(int me) {
  store(&interested[me], 1);
  int mine = me == 0 ? load(&turn[1]) : 1 - load(&turn[0]);
  store(&turn[me], mine);
  if (!load(&interested[1 - me]) || (mine == load(&turn[1 - me])) == (me == 1)) return 1;
  leave(me);
  return 0;
}

static void leave(int me) { store(&interested[me], 0); }
