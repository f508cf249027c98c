// expect: all safe
// native: 0
// Arithmetic of 16-bit integers.
#include <assert.h>
#include <stdint.h>

int main(void) {
  int16_t a = 32767, b = -32768;
  uint16_t c = 65535, d = 40000;
  assert((int16_t)(a + 1) == -32768);
  assert((int16_t)(b - 1) == 32767);
  assert((uint16_t)(c + 1) == 0);
  assert((uint16_t)(d + d) == 14464);
  assert((int16_t)d == -25536);
  assert((uint16_t)b == 32768);
  assert(a * 2 == 65534);
  assert((int16_t)(a * 2) == -2);
  assert(b / 2 == -16384);
  assert(b % 7 == -1);
  assert(-7 / 2 == -3 && -7 % 2 == -1);
  assert(d / 3 == 13333 && d % 3 == 1);
  c -= 65530;
  assert(c == 5);
  c--;
  ++c;
  c++;
  assert(c == 6);
  d ^= 0xffff;
  assert(d == 25535);
  d |= 0x8000;
  assert(d == 58303);
  d &= 0x0ff0;
  assert(d == 0x03b0);
  assert((uint16_t)(d << 8) == 0xb000);
  return 0;
}
