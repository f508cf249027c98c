// After Peterson and Fischer's algorithm for two threads, from memory: one variable with three values per
// thread. Thread 0 tries to make the two variables equal, thread 1 to make them differ; when both are there,
// whoever got its will waits.
#include "mutex.h"

enum { AWAY, LEFT, RIGHT };

static atomic_int side[2];

static int yielding_side(int me, int other) {
  if (me == 0) return other == RIGHT ? RIGHT : LEFT;
  return other == LEFT ? RIGHT : LEFT;
}

static int enter(int me) {
  int mine = yielding_side(me, load(&side[1 - me]));
  store(&side[me], mine);
  int other = load(&side[1 - me]);
  if (other != AWAY) {
    mine = yielding_side(me, other);
    store(&side[me], mine);
    other = load(&side[1 - me]);
    if (other != AWAY && (other == mine) == (me == 0)) {
      leave(me);
      return 0;
    }
  }
  return 1;
}

static void leave(int me) { store(&side[me], AWAY); }
