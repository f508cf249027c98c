// expect: all safe
// native: 0
// _Bool: every value that is not zero becomes 1.
#include <assert.h>
#include <stdbool.h>

static bool flags[4];

static bool both(bool a, bool b) { return a & b; }
static bool is_odd(int n) { return n & 1; }

int main(void) {
  bool b = 42;
  assert(b == 1);
  b = 0.5;
  assert(b);
  b = (void*)&b;
  assert(b + b == 2);
  b = !b;
  assert(!b);
  b |= 8;
  assert(b == true);
  b ^= true;
  assert(b == false);
  flags[2] = 256;
  assert(flags[2] == 1 && !flags[1]);
  assert(both(4, 2));
  assert(is_odd(3) && !is_odd(4));
  assert(sizeof(bool) == 1);
  flags[3] = flags[2] == flags[1];
  assert(!flags[3]);
  int n = flags[0] + flags[1] + flags[2] + flags[3];
  assert(n == 1);
  return 0;
}
