// expect: all safe
// native: 0
// Shifts by amounts that are only known at run time.
#include <assert.h>
#include <stdint.h>

static uint32_t rotate(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }
static int bit(uint64_t x, int i) { return (int)(x >> i & 1); }

int main(void) {
  for (int i = 1; i < 32; i++) {
    assert(rotate(1u << i, 32 - i) == 1);
    assert(1u << i >> i == 1);
    assert((int32_t)(INT32_MIN >> i) == -(1 << (31 - i)));
  }
  uint64_t x = 0xa5a5;
  int ones = 0;
  for (int i = 0; i < 64; i++) ones += bit(x, i);
  assert(ones == 8);
  assert(rotate(0x12345678, 8) == 0x34567812);
  int8_t small = -128;
  for (int i = 0; i < 7; i++) small >>= 1;
  assert(small == -1);
  uint8_t byte = 1;
  for (int i = 0; i < 8; i++) byte = (uint8_t)(byte << 1);
  assert(byte == 0);
  return 0;
}
