// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7
// defect: generic/rte_rwlock.h | if (likely(!(x & RTE_RWLOCK_MASK))) | if (1) | sc
#include <rte_rwlock.h>

static rte_rwlock_t word = RTE_RWLOCK_INITIALIZER;

static void start(void) {}
static void write_lock(void) { rte_rwlock_write_lock(&word); }
static void write_unlock(void) { rte_rwlock_write_unlock(&word); }
static void read_lock(void) { rte_rwlock_read_lock(&word); }
static void read_unlock(void) { rte_rwlock_read_unlock(&word); }

#include "readers_and_writer.h"
