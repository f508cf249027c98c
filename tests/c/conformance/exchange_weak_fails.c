// expect: all unsafe assertion
// A weak compare-exchange may fail although it finds what it expects.
#include <assert.h>
#include <stdatomic.h>

static atomic_int state;

int main(void) {
  int expected = 0;
  int done = atomic_compare_exchange_weak(&state, &expected, 1);
  assert(done);
  return 0;
}
