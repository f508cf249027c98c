// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7
#include <rte_ring.h>
#include <stdlib.h>

#include "handover.h"

static struct rte_ring *ring;

static void start(void) {
  enum { kSlots = 4 };
  ring = aligned_alloc(64, sizeof *ring + kSlots * sizeof(void *));
  memset(ring, 0, sizeof *ring);
  ring->size = kSlots;
  ring->mask = kSlots - 1;
  ring->capacity = kSlots - 1;
  ring->prod.sync_type = ring->cons.sync_type = RTE_RING_SYNC_MT_HTS;

}
static int put(struct message *message) { return rte_ring_mp_hts_enqueue_bulk(ring, (void *const *)&message, 1, 0) == 1; }
static struct message *take(void) {
  void *taken;
  return rte_ring_mc_hts_dequeue_bulk(ring, &taken, 1, 0) == 1 ? taken : 0;
}
