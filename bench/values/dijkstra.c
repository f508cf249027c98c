// Dijkstra's algorithm for two threads: a thread takes the turn if its owner is not interested, then claims
// the section, and enters if nobody else claims it. It tries twice to have the turn.
#include "mutex.h"

static atomic_int interested[2], claims[2], turn;

static int has_turn(int me) {
  for (int attempt = 0; attempt < 2; attempt++) {
    int owner = load(&turn);
    if (owner == me) return 1;
    if (!load(&interested[owner])) store(&turn, me);
  }
  return 0;
}

static int enter(int me) {
  store(&interested[me], 1);
  if (has_turn(me)) {
    store(&claims[me], 1);
    if (!load(&claims[1 - me])) return 1;
  }
  leave(me);
  return 0;
}

static void leave(int me) {
  store(&claims[me], 0);
  store(&interested[me], 0);
}
