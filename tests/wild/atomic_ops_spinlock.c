// expect: sc safe, tso safe
// package: libatomic-ops-dev
#include <atomic_ops.h>

static AO_TS_t word = AO_TS_INITIALIZER;

static void start(void) {}
static void lock(long me) {
  (void)me;
  while (AO_test_and_set_acquire(&word) == AO_TS_SET) continue;
}
static void unlock(long me) { (void)me, AO_CLEAR(&word); }

#include "mutual_exclusion.h"
