// expect: sc safe, tso safe
// package: libck-dev
// defect: ck_ring.h | memcpy(data, target, ts); | (void)target; | sc
#include <ck_ring.h>

#include "handover.h"

static ck_ring_t ring;
static ck_ring_buffer_t slots[4];

static void start(void) { ck_ring_init(&ring, 4); }
static int put(struct message *message) { return ck_ring_enqueue_mpmc(&ring, slots, message); }
static struct message *take(void) {
  void *taken;
  return ck_ring_dequeue_mpmc(&ring, slots, &taken) ? taken : 0;
}
