// Burns and Lynch's algorithm with one bit per thread: a thread steps back for those before it and waits for
// those after it. Most of its writes write what is there already, which only the value-based equivalences
// notice.
#include "mutex.h"

static atomic_int interested[THREADS];

static int any_interested(int from, int to) {
  for (int i = from; i < to; i++)
    if (load(&interested[i])) return 1;
  return 0;
}

static int enter(int me) {
  store(&interested[me], 0);
  if (any_interested(0, me)) return 0;
  store(&interested[me], 1);
  if (!any_interested(0, me) && !any_interested(me + 1, THREADS)) return 1;
  leave(me);
  return 0;
}

static void leave(int me) { store(&interested[me], 0); }
