// expect: all safe
// A main that returns nothing, as in old verification programs.
#include <assert.h>

int x;

void main(void) {
  x = 3;
  assert(x == 3);
}
