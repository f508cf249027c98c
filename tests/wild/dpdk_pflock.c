// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7
#include <rte_pflock.h>

static rte_pflock_t word;

static void start(void) {}
static void write_lock(void) { rte_pflock_write_lock(&word); }
static void write_unlock(void) { rte_pflock_write_unlock(&word); }
static void read_lock(void) { rte_pflock_read_lock(&word); }
static void read_unlock(void) { rte_pflock_read_unlock(&word); }

#include "readers_and_writer.h"
