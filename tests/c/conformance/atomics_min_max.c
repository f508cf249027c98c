// expect: all safe
// native: 0
// Atomic minimum and maximum of clang, signed and unsigned.
#include <assert.h>

static int s = -5;
static unsigned u = 5;

int main(void) {
  assert(__atomic_fetch_max(&s, 3, __ATOMIC_SEQ_CST) == -5 && s == 3);
  assert(__atomic_fetch_min(&s, -9, __ATOMIC_SEQ_CST) == 3 && s == -9);
  assert(__atomic_fetch_max(&s, -20, __ATOMIC_RELAXED) == -9 && s == -9);
  assert(__atomic_fetch_max(&u, -1u, __ATOMIC_SEQ_CST) == 5 && u == -1u);
  assert(__atomic_fetch_min(&u, 7u, __ATOMIC_SEQ_CST) == -1u && u == 7);
  return 0;
}
