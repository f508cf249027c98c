// expect: all unknown
// options: --unroll 3
// message: more than 3 times
// A bound for loops: what lies behind is not said to be safe.
#include <assert.h>

static int n;

int main(void) {
  for (int i = 0; i < 10; i++) n++;
  assert(n == 10);
  return 0;
}
