// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7
// defect: rte_mcslock.h | rte_wait_until_equal_32((uint32_t *)&me->locked, 0, __ATOMIC_ACQUIRE); | (void)0; | sc
#include <rte_mcslock.h>

static rte_mcslock_t *queue, nodes[2];

static void start(void) {}
static void lock(long me) { rte_mcslock_lock(&queue, &nodes[me]); }
static void unlock(long me) { rte_mcslock_unlock(&queue, &nodes[me]); }

#include "mutual_exclusion.h"
