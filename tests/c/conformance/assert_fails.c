// expect: all unsafe assertion
// message: n == 4
// native: -6
// An assertion that fails, in a function of its own.
#include <assert.h>

static void check(int n) { assert(n == 4); }

int main(void) {
  for (int i = 4; i < 6; i++) check(i);
  return 0;
}
