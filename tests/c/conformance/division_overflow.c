// The least number has no counterpart above 0.
// expect: all unsafe assertion
// message: the least 32-bit number is divided by -1
#include <limits.h>
static volatile int number = INT_MIN, divisor = -1;

int main(void) { return number / divisor == 0; }
