// expect: sc safe, tso safe
// package: libck-dev
#include <ck_fifo.h>

#include "handover.h"

// Its updates exchange a pointer and a generation at once (cmpxchg16b).
static ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t stub, entries[2];

static void start(void) { ck_fifo_mpmc_init(&fifo, &stub); }
static int put(struct message *message) {
  ck_fifo_mpmc_enqueue(&fifo, &entries[message - messages], message);
  return 1;
}
static struct message *take(void) {
  ck_fifo_mpmc_entry_t *garbage;
  void *taken;
  return ck_fifo_mpmc_dequeue(&fifo, &taken, &garbage) ? taken : 0;
}
