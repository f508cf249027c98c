// Szymanski's algorithm for two threads: a waiting room with two doors, one variable with five values per
// thread. A thread that waits for the other on the way out is cut by an assumption.
#include "mutex.h"

enum { AWAY, WANTS, WAITS, AT_DOOR, INSIDE };

static atomic_int place[2];

static int withdraw(int me) {
  store(&place[me], AWAY);
  return 0;
}

static int enter(int me) {
  atomic_int* other = &place[1 - me];
  store(&place[me], WANTS);
  if (load(other) >= AT_DOOR) return withdraw(me);
  store(&place[me], AT_DOOR);
  if (load(other) == WANTS) {
    store(&place[me], WAITS);
    if (load(other) != INSIDE) return withdraw(me);
  }
  store(&place[me], INSIDE);
  if (me == 1 && load(other) > WANTS) return withdraw(me);
  return 1;
}

static void leave(int me) {
  if (me == 0) {
    int other = load(&place[1]);
    __VERIFIER_assume(other <= WANTS || other == INSIDE);
  }
  store(&place[me], AWAY);
}
