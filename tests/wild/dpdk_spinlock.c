// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7
#include <rte_spinlock.h>

static rte_spinlock_t word = RTE_SPINLOCK_INITIALIZER;

static void start(void) {}
static void lock(long me) { (void)me, rte_spinlock_lock(&word); }
static void unlock(long me) { (void)me, rte_spinlock_unlock(&word); }

#include "mutual_exclusion.h"
