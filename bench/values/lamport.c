// Lamport's fast mutual exclusion for two threads: without a rival, a thread enters after a fixed number of
// steps. Where a thread waits for the other to step back, executions in which it would wait longer are cut by
// an assumption.
#include "mutex.h"

static atomic_int trying[2], first, owner;

static int enter(int me) {
  int name = me + 1;
  store(&trying[me], 1);
  store(&first, name);
  if (load(&owner) != 0) {
    store(&trying[me], 0);
    return 0;
  }
  store(&owner, name);
  if (load(&first) == name) return 1;
  store(&trying[me], 0);
  __VERIFIER_assume(!load(&trying[1 - me]));
  return load(&owner) == name;
}

static void leave(int me) {
  store(&owner, 0);
  store(&trying[me], 0);
}
