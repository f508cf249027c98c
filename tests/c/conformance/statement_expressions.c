// expect: all safe
// native: 0
// GNU statement expressions and labels in them, __auto_type, conditional with omitted operand.
#include <assert.h>

#define SQUARE(x)        \
  ({                     \
    __auto_type v = (x); \
    v* v;                \
  })

static int calls;
static int next(void) { return ++calls; }

int main(void) {
  assert(SQUARE(next()) == 1 && calls == 1);
  assert(SQUARE(3) + SQUARE(4) == SQUARE(5));
  int sum = ({
    int total = 0;
    for (int i = 1; i <= 4; i++) total += i;
    total;
  });
  assert(sum == 10);
  int x = 0, y = x ?: 7;
  assert(y == 7);
  y = next() ?: 9;
  assert(y == 2);
  int first = ({
    int found = -1;
    for (int i = 0; i < 10; i++)
      if (i * i > 30) {
        found = i;
        break;
      }
    found;
  });
  assert(first == 6);
  return 0;
}
