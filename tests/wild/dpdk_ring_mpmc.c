// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7
#include <rte_ring.h>
#include <stdalign.h>

#include "handover.h"

static struct {
  struct rte_ring ring;
  void *slots[4];
} memory;

static void start(void) {
  memory.ring.size = 4;
  memory.ring.mask = memory.ring.capacity = 3;
}
static int put(struct message *message) { return rte_ring_mp_enqueue(&memory.ring, message) == 0; }
static struct message *take(void) {
  void *taken;
  return rte_ring_mc_dequeue(&memory.ring, &taken) == 0 ? taken : 0;
}
