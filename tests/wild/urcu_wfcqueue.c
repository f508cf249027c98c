// expect: sc safe, tso safe
// package: liburcu-dev
// compiler: -I/usr/include/x86_64-linux-gnu -D_LGPL_SOURCE
#include <urcu/compiler.h>
#include <urcu/wfcqueue.h>

#include "handover.h"

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2];

static void start(void) { cds_wfcq_init(&head, &tail); }
static int put(struct message *message) {
  struct cds_wfcq_node *node = &nodes[message - messages];
  cds_wfcq_node_init(node);
  cds_wfcq_enqueue(&head, &tail, node);
  return 1;
}
static struct message *take(void) {
  struct cds_wfcq_node *node = __cds_wfcq_dequeue_blocking(&head, &tail);
  return node ? &messages[node - nodes] : 0;
}
