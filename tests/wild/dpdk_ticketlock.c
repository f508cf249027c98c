// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7
// defect: rte_ticketlock.h | rte_wait_until_equal_16(&tl->s.current, me, __ATOMIC_ACQUIRE); | (void)me; | sc
#include <rte_ticketlock.h>

static rte_ticketlock_t word = RTE_TICKETLOCK_INITIALIZER;

static void start(void) {}
static void lock(long me) { (void)me, rte_ticketlock_lock(&word); }
static void unlock(long me) { (void)me, rte_ticketlock_unlock(&word); }

#include "mutual_exclusion.h"
