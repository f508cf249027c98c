// expect: all safe
// One that fails gives back what it found, and writes nothing.
#include <assert.h>
#include <stdatomic.h>

static atomic_int state = 5;

int main(void) {
  int expected = 5;
  if (!atomic_compare_exchange_weak(&state, &expected, 6)) {
    assert(expected == 5);
    assert(state == 5);
  } else {
    assert(state == 6);
  }
  return 0;
}
