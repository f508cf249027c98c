// expect: all safe
// options: --unroll 10
// native: 0
// A bound that no loop reaches changes nothing.
#include <assert.h>

static int n;

int main(void) {
  for (int i = 0; i < 10; i++) n++;
  assert(n == 10);
  return 0;
}
