// expect: all unsafe memory
// message: 'x'
// A local of one of several activations of a function.
#include <assert.h>

static int* volatile kept;

static int down(int n) {
  int x = n;
  if (n == 2) kept = &x;
  if (n == 0) return 0;
  return down(n - 1) + x;
}

int main(void) {
  assert(down(3) == 6);
  assert(*kept == 2);
  return 0;
}
