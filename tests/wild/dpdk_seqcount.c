// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7 -DALLOW_EXPERIMENTAL_API
// defect: rte_seqcount.h | return begin_sn != end_sn; | return false; | sc
#include <assert.h>
#include <pthread.h>
#include <rte_seqcount.h>

static rte_seqcount_t sequence;
static int left, right;

static void *write_both(void *none) {
  rte_seqcount_write_begin(&sequence);
  __atomic_store_n(&left, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&right, 1, __ATOMIC_RELAXED);
  rte_seqcount_write_end(&sequence);
  return none;
}

static void *read_both(void *none) {
  uint32_t version;
  int first, second;
  do {
    version = rte_seqcount_read_begin(&sequence);
    first = __atomic_load_n(&left, __ATOMIC_RELAXED);
    second = __atomic_load_n(&right, __ATOMIC_RELAXED);
  } while (rte_seqcount_read_retry(&sequence, version));
  assert(first == second);
  return none;
}

int main(void) {
  pthread_t reader, writer;
  pthread_create(&reader, 0, read_both, 0);
  pthread_create(&writer, 0, write_both, 0);
  pthread_join(reader, 0);
  pthread_join(writer, 0);
  return 0;
}
