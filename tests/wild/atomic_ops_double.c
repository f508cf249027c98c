// expect: sc safe, tso safe
// package: libatomic-ops-dev
// compiler: -mcx16 -DAO_CMPXCHG16B_AVAILABLE
// Two numbers are exchanged at once, and stay equal.
#define AO_REQUIRE_CAS
#include <assert.h>
#include <atomic_ops.h>
#include <pthread.h>

static volatile AO_double_t pair = AO_DOUBLE_T_INITIALIZER;

static void *add_to_both(void *none) {
  AO_t first, second;
  do {
    first = AO_load(&pair.AO_val1);
    second = AO_load(&pair.AO_val2);
  } while (!AO_compare_double_and_swap_double_full(&pair, first, second, first + 1, second + 1));
  return none;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add_to_both, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(pair.AO_val1 == 2 && pair.AO_val2 == 2);
  return 0;
}
