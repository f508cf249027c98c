// expect: sc safe, tso safe
// package: liburcu-dev
// compiler: -I/usr/include/x86_64-linux-gnu -D_LGPL_SOURCE
#include <urcu/arch.h>
#include <urcu/uatomic.h>

static int word;

static void start(void) {}
static void lock(long me) {
  (void)me;
  while (uatomic_cmpxchg(&word, 0, 1) != 0) caa_cpu_relax();
}
static void unlock(long me) {
  (void)me;
  cmm_smp_mb();
  uatomic_set(&word, 0);
}

#include "mutual_exclusion.h"
