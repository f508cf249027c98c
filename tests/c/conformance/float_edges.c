// The largest and least floating point numbers that integers can hold.
// expect: all safe
// native: 0
#include <assert.h>
#include <limits.h>
static volatile double above = 2147483647.9, below = -2147483648.9, unsigned_below = -0.9, end = 4294967295.5;
static volatile float narrow = 2147483520.0f, least = -2147483648.0f;

int main(void) {
  assert((int)above == INT_MAX && (int)below == INT_MIN);
  assert((unsigned)unsigned_below == 0 && (unsigned)end == UINT_MAX);
  assert((int)narrow == 2147483520 && (int)least == INT_MIN);
  assert((unsigned char)255.9 == 255 && (signed char)-128.5 == -128);
}
