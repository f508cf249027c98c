// The processor computes quotient and remainder together.
// expect: all unsafe assertion
// message: the least 64-bit number is divided by -1
#include <limits.h>
static volatile long number = LONG_MIN, divisor = -1;

int main(void) { return number % divisor == 0; }
