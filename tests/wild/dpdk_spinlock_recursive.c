// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7 -DRTE_FORCE_INTRINSICS
// defect: generic/rte_spinlock.h | if (--(slr->count) == 0) | if (--(slr->count) >= 0) | sc
#include <rte_spinlock.h>

static rte_spinlock_recursive_t word = RTE_SPINLOCK_RECURSIVE_INITIALIZER;
static __thread int my_number;
__thread int per_lcore__thread_id = -1;
int rte_sys_gettid(void) { return my_number; }

static void start(void) {}
static void lock(long me) {
  my_number = (int)me + 1;
  rte_spinlock_recursive_lock(&word);
  rte_spinlock_recursive_lock(&word);
  rte_spinlock_recursive_unlock(&word);
}
static void unlock(long me) { (void)me, rte_spinlock_recursive_unlock(&word); }

#include "mutual_exclusion.h"
