// expect: all safe
// native: 0
// abs, labs, atoi, div and the classes of characters.
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

int main(void) {
  volatile int n = -7;
  assert(abs(n) == 7 && labs(-7l) == 7 && llabs(7ll) == 7);
  assert(atoi("42") == 42 && atoi("  -17x") == -17 && atoi("+3") == 3 && atoi("x") == 0);
  assert(atol("4000000000") == 4000000000l);
  div_t d = div(17, 5);
  assert(d.quot == 3 && d.rem == 2);
  assert(toupper('q') == 'Q' && tolower('Q') == 'q' && toupper('1') == '1');
  return 0;
}
