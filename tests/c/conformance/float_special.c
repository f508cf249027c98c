// expect: all safe
// native: 0
// Infinities and NaN.
#include <assert.h>
#include <math.h>

static double zero = 0.0;

int main(void) {
  double infinite = 1 / zero, nan = zero / zero;
  assert(infinite > 1e308 && -infinite < -1e308);
  assert(infinite == infinite && infinite - infinite != 0);
  assert(nan != nan && !(nan == nan) && !(nan < 1) && !(nan > 1) && !(nan <= nan));
  assert(!(nan == 0) && (nan ? 1 : 0) == 1);
  assert(isnan(nan) && !isnan(infinite) && isinf(infinite));
  assert(isunordered(nan, 1.0) && !isless(nan, 1.0) && isgreater(2.0, 1.0));
  assert(1 / -zero == -infinite);
  double least = nan < 3 ? nan : 3;
  assert(least == 3);
  assert(fabs(-2.5) == 2.5);
  return 0;
}
