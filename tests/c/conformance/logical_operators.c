// expect: all safe
// native: 0
// && and || evaluate only what they need; ?: only one of two.
#include <assert.h>
#include <stddef.h>

static int calls;
static int called(int result) {
  calls++;
  return result;
}

int main(void) {
  assert(!(0 && called(1)) && calls == 0);
  assert((1 || called(1)) && calls == 0);
  assert((called(1) && called(2)) && calls == 2);
  assert((called(0) || called(3)) && calls == 4);
  int* null = NULL;
  assert(!(null != NULL && *null == 1));
  int n = calls > 3 ? called(10) : called(20) + called(30);
  assert(n == 10 && calls == 5);
  assert((0 ? called(1) : 7) == 7 && calls == 5);
  int x = 3, y = 4;
  assert((x > y ? x : y) == 4 && (x < y ? x : y) == 3);
  assert((x, y) == 4);
  assert(!(x && !y) && (!x || y));
  assert((x & y) == 0 && (x && y) == 1);
  n = x == 3 ? y == 4 ? 1 : 2 : 3;
  assert(n == 1);
  return 0;
}
