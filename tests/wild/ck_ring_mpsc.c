// expect: sc safe, tso safe
// package: libck-dev
#include <ck_ring.h>

#include "handover.h"

static ck_ring_t ring;
static ck_ring_buffer_t slots[4];

static void start(void) { ck_ring_init(&ring, 4); }
static int put(struct message *message) { return ck_ring_enqueue_mpsc(&ring, slots, message); }
static struct message *take(void) {
  void *taken;
  return ck_ring_dequeue_mpsc(&ring, slots, &taken) ? taken : 0;
}
