// expect: all safe
// __builtin_ffs counts zeros only where there is a bit.
#include <assert.h>

int main(void) {
  volatile int none = 0, some = 8;
  volatile long long high = 1ll << 40;
  assert(__builtin_ffs(none) == 0);
  assert(__builtin_ffs(some) == 4);
  assert(__builtin_ffsll(high) == 41);
  return 0;
}
