// expect: sc safe, tso safe
// package: libdpdk-dev
// compiler: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk -include rte_config.h -march=corei7
// defect: rte_atomic_64.h | " sete %[res]" | " sete %[res]; incq %[dst]" | sc
// Two threads exchange both halves at once: they stay equal.
#include <assert.h>
#include <pthread.h>
#include <rte_atomic.h>

static rte_int128_t pair;

static void *add_to_both(void *none) {
  rte_int128_t old = {.val = {0, 0}}, next;
  do {
    next.val[0] = old.val[0] + 1;
    next.val[1] = old.val[1] + 1;
  } while (!rte_atomic128_cmp_exchange(&pair, &old, &next, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return none;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add_to_both, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(pair.val[0] == 2 && pair.val[1] == 2);
  return 0;
}
