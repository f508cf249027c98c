// Dekker's algorithm for two threads: of two that are interested, the one whose turn it is not steps back.
#include "mutex.h"

static atomic_int interested[2], turn;

static int enter(int me) {
  int other = 1 - me;
  store(&interested[me], 1);
  if (!load(&interested[other])) return 1;
  if (load(&turn) != me) {
    store(&interested[me], 0);
    if (load(&turn) != me) return 0;
    store(&interested[me], 1);
  }
  if (!load(&interested[other])) return 1;
  store(&interested[me], 0);
  return 0;
}

static void leave(int me) {
  store(&turn, 1 - me);
  store(&interested[me], 0);
}
