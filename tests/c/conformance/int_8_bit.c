// expect: all safe
// native: 0
// Arithmetic of 8-bit integers: promoted to int, wrapped when stored.
#include <assert.h>
#include <stdint.h>

static int8_t twice(int8_t x) { return (int8_t)(2 * x); }
static uint8_t next(uint8_t x) { return (uint8_t)(x + 1); }

int main(void) {
  int8_t a = 127, b = -128;
  uint8_t c = 255, d = 200;
  assert(a + 1 == 128);
  assert((int8_t)(a + 1) == -128);
  assert((int8_t)(b - 1) == 127);
  assert(b / -1 == 128);
  assert((uint8_t)(c + 1) == 0);
  assert(c + 1 == 256);
  assert((uint8_t)(c + d) == 199);
  assert((uint8_t)(c * d) == 56);
  assert((int8_t)d == -56);
  assert((uint8_t)b == 128);
  assert(twice(100) == -56);
  assert(next(255) == 0);
  c += 2;
  assert(c == 1);
  d <<= 1;
  assert(d == 144);
  a = (int8_t)(a >> 3);
  assert(a == 15);
  b >>= 2;
  assert(b == -32);
  assert((uint8_t)~d == 111);
  assert(~d == -145);
  assert((b & 0xff) == 0xe0);
  assert((b ^ d) < 0);
  return 0;
}
