// expect: all safe
// native: 0
// Constant tables: numbers, strings, structures, function pointers.
#include <assert.h>
#include <stdint.h>

static const uint8_t popcount_of[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
static const char* const words[] = {"alpha", "beta", "gamma"};
static const struct {
  const char* name;
  int weight;
} weights[] = {{"low", 1}, {"mid", 5}, {"high", 25}};

static int popcount(uint32_t n) {
  int bits = 0;
  for (; n; n >>= 4) bits += popcount_of[n & 15];
  return bits;
}
static int same(const char* a, const char* b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}
static int weight_of(const char* name) {
  for (unsigned i = 0; i < sizeof weights / sizeof weights[0]; i++)
    if (same(weights[i].name, name)) return weights[i].weight;
  return -1;
}

static const unsigned crc_table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                       0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
static unsigned crc(const char* text) {
  unsigned value = ~0u;
  for (; *text; text++) {
    value = crc_table[(value ^ (unsigned char)*text) & 15] ^ (value >> 4);
    value = crc_table[(value ^ ((unsigned char)*text >> 4)) & 15] ^ (value >> 4);
  }
  return ~value;
}

int main(void) {
  assert(popcount(0xffffffffu) == 32 && popcount(0x80000001u) == 2);
  assert(words[2][4] == 'a' && words[1][0] == 'b');
  assert(weight_of("mid") == 5 && weight_of("high") == 25 && weight_of("none") == -1);
  assert(crc("123456789") == 0xcbf43926u);
  return 0;
}
