// expect: sc safe, tso safe
// package: libck-dev
// defect: ck_fifo.h | if (ck_pr_cas_ptr_2(&fifo->head, &head, &update) == true) | if (ck_pr_cas_ptr_2(&fifo->head, &head, &update) + 1) | sc
// Two consumers: each of two messages is taken once.
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>

static ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t stub, entries[2];
static int taken[2];

static void *consume(void *none) {
  ck_fifo_mpmc_entry_t *garbage;
  int *message;
  if (ck_fifo_mpmc_dequeue(&fifo, &message, &garbage)) ck_pr_inc_int(message);
  return none;
}

int main(void) {
  pthread_t consumers[2];
  ck_fifo_mpmc_init(&fifo, &stub);
  for (int i = 0; i < 2; i++) ck_fifo_mpmc_enqueue(&fifo, &entries[i], &taken[i]);
  for (int i = 0; i < 2; i++) pthread_create(&consumers[i], 0, consume, 0);
  for (int i = 0; i < 2; i++) pthread_join(consumers[i], 0);
  assert(taken[0] == 1 && taken[1] == 1);
  return 0;
}
