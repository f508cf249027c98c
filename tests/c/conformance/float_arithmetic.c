// expect: all safe
// native: 0
// float and double: arithmetic, rounding, comparison.
#include <assert.h>

static double half = 0.5;
static float third = 1.0f / 3;

static double power(double base, int n) {
  double result = 1;
  while (n-- > 0) result *= base;
  return result;
}
static double root(double x) {
  double guess = x;
  for (int i = 0; i < 20; i++) guess = (guess + x / guess) / 2;
  return guess;
}

int main(void) {
  assert(half + half == 1 && half * half == 0.25 && half / 4 == 0.125 && half - 1 == -0.5);
  assert(third * 3 == 1.0f && third != 1.0 / 3);
  assert(0.1 + 0.2 != 0.3);
  assert(0.1f + 0.2f == 0.3f);
  assert(power(2, 10) == 1024 && power(0.5, 3) == 0.125);
  assert(root(2) * root(2) - 2 < 1e-12 && root(9) == 3);
  assert(1e308 * 10 > 1e308);
  assert(-half < half && half <= 0.5 && half >= 0.5 && !(half > 0.5));
  float big = 16777216.0f;
  assert(big + 1 == big && (double)big + 1 != big);
  assert(-0.0 == 0.0);
  double sum = 0;
  for (int i = 1; i <= 4; i++) sum += 1.0 / i;
  assert(sum > 2.083 && sum < 2.084);
  return 0;
}
