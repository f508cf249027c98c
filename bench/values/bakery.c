// Lamport's bakery for two threads: each draws a number one larger than it sees, and the smaller number goes
// first.
#include "mutex.h"

static atomic_int choosing[2], ticket[2];

static int goes_first(int mine, int theirs, int me) {
  return theirs == 0 || mine < theirs || (mine == theirs && me == 0);
}

static int enter(int me) {
  store(&choosing[me], 1);
  int mine = 1 + load(&ticket[1 - me]);
  store(&ticket[me], mine);
  store(&choosing[me], 0);
  if (!load(&choosing[1 - me]) && goes_first(mine, load(&ticket[1 - me]), me)) return 1;
  leave(me);
  return 0;
}

static void leave(int me) { store(&ticket[me], 0); }
