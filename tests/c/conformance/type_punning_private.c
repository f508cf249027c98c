// expect: all safe
// native: 0
// Private memory is bytes: a local can be looked at in other widths, by union, pointer or memcpy.
#include <assert.h>
#include <stdint.h>
#include <string.h>

static uint32_t bits_of(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}
static double from_bits(uint64_t bits) {
  union {
    uint64_t bits;
    double number;
  } u = {bits};
  return u.number;
}
static int is_little_endian(void) {
  int one = 1;
  return *(char*)&one;
}

int main(void) {
  assert(bits_of(1.0f) == 0x3f800000u && bits_of(-2.0f) == 0xc0000000u);
  assert(from_bits(0x3ff8000000000000ull) == 1.5);
  assert(is_little_endian());
  uint32_t word = 0x01020304;
  unsigned char* bytes = (unsigned char*)&word;
  assert(bytes[0] == 4 && bytes[3] == 1);
  bytes[3] = 0xff;
  assert(word == 0xff020304u);
  uint16_t halves[2];
  memcpy(halves, &word, sizeof halves);
  assert(halves[0] == 0x0304 && halves[1] == 0xff02);
  union {
    uint64_t whole;
    uint8_t parts[8];
  } u;
  u.whole = 0x1122334455667788ull;
  assert(u.parts[0] == 0x88 && u.parts[7] == 0x11);
  u.parts[0] = 0;
  assert(u.whole == 0x1122334455667700ull);
  return 0;
}
