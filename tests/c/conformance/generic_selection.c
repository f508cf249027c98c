// expect: all safe
// native: 0
// _Generic, typeof and type-generic macros.
#include <assert.h>

#define KIND(x) _Generic((x), char : 1, int : 2, long : 3, double : 4, char* : 5, default : 6)
#define MAX(a, b)                \
  ({                             \
    __typeof__(a) left = (a);    \
    __typeof__(b) right = (b);   \
    left > right ? left : right; \
  })

static int magnitude_int(int x) { return x < 0 ? -x : x; }
static long magnitude_long(long x) { return x < 0 ? -x : x; }
#define magnitude(x) _Generic((x), int : magnitude_int, long : magnitude_long)(x)

int main(void) {
  char c = 0;
  assert(KIND(c) == 1 && KIND(1) == 2 && KIND(1l) == 3 && KIND(1.0) == 4);
  assert(KIND("text") == 5 && KIND(1u) == 6);
  assert(magnitude(-3) == 3 && magnitude(-(1l << 40)) == 1l << 40);
  int n = 0;
  assert(MAX(n++, 5) == 5 && n == 1);
  __typeof__(1l) l = 1l << 33;
  assert(MAX(l, 1) == l);
  return 0;
}
