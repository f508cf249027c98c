// expect: all safe
// native: 0
// Conversions between floating point and integers.
#include <assert.h>
#include <stdint.h>

int main(void) {
  volatile double d = 3.99, negative = -3.99, large = 4e9;
  volatile float f = 2.5f;
  assert((int)d == 3 && (int)negative == -3);
  assert((int)f == 2 && (long)(f * 2) == 5);
  assert((uint32_t)large == 4000000000u);
  assert((unsigned char)d == 3);
  volatile int i = 7;
  volatile unsigned u = 4000000000u;
  volatile int64_t l = (1ll << 53) + 1;
  volatile uint64_t ul = 1ull << 63;
  assert((double)i / 2 == 3.5 && i / 2 == 3);
  assert((double)u == 4e9 && (float)u == 4e9f);
  assert((double)l == 9007199254740992.0);
  assert((double)ul == 9223372036854775808.0 && (uint64_t)(double)ul == ul);
  assert((float)16777217 == 16777216.0f);
  assert((double)0.1f != 0.1 && (float)(double)0.1f == 0.1f);
  int average = (int)((1 + 2 + 4) / 3.0 * 100);
  assert(average == 233);
  d += i;
  assert(d > 10.98 && d < 11);
  i *= 1.5;
  assert(i == 10);
  return 0;
}
