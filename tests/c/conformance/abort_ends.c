// expect: all safe
// abort ends the program; it is no violation, as in other verification tools.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  volatile int x = 1;
  if (x) abort();
  assert(0);
  return 0;
}
