// expect: sc safe, tso safe
// package: libck-dev
// defect: ck_fifo.h | fifo->tail = entry; | | sc
#include <ck_fifo.h>

#include "handover.h"

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t entries[3];

static void start(void) { ck_fifo_spsc_init(&fifo, &entries[2]); }
static int put(struct message *message) {
  ck_fifo_spsc_enqueue(&fifo, &entries[message - messages], message);
  return 1;
}
static struct message *take(void) {
  void *taken;
  return ck_fifo_spsc_dequeue(&fifo, &taken) ? taken : 0;
}
