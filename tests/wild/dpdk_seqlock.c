// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7 -DRTE_FORCE_INTRINSICS
// defect: rte_seqcount.h | if (unlikely(begin_sn & 1)) | if (0) | sc
// Two writers and what a reader finds between them.
#include <assert.h>
#include <pthread.h>
#include <rte_seqlock.h>

static rte_seqlock_t word = RTE_SEQLOCK_INITIALIZER;
static volatile int left, right;

static void *write_both(void *none) {
  rte_seqlock_write_lock(&word);
  left++;
  right++;
  rte_seqlock_write_unlock(&word);
  return none;
}

int main(void) {
  pthread_t writer;
  int first, second;
  uint32_t number;
  pthread_create(&writer, 0, write_both, 0);
  do {
    number = rte_seqlock_read_begin(&word);
    first = left;
    second = right;
  } while (rte_seqlock_read_retry(&word, number));
  assert(first == second);
  pthread_join(writer, 0);
  return 0;
}
