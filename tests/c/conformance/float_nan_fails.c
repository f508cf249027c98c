// expect: all unsafe assertion
// native: -6
// Every way to make what is no number, and what it does to an assertion.
#include <assert.h>

static volatile double zero = 0, one = 1;

int main(void) {
  const double quotient = zero / zero, infinite = one / zero;
  const double difference = infinite - infinite, product = infinite * zero, sum = quotient + one;
  assert(difference == difference || product == product || sum == sum || -quotient == -quotient);
  return 0;
}
