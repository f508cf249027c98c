// expect: all safe
// native: 0
// Conversions between integers of every width and sign.
#include <assert.h>
#include <stdint.h>

#define CONVERTS(from_type, value, to_type, result) \
  do {                                              \
    volatile from_type from = (from_type)(value);   \
    to_type to = (to_type)from;                     \
    assert(to == (result));                         \
  } while (0)

int main(void) {
  CONVERTS(int8_t, -1, int16_t, -1);
  CONVERTS(int8_t, -1, uint16_t, 0xffff);
  CONVERTS(int8_t, -1, uint32_t, 0xffffffffu);
  CONVERTS(int8_t, -1, uint64_t, UINT64_MAX);
  CONVERTS(uint8_t, 255, int8_t, -1);
  CONVERTS(uint8_t, 255, int32_t, 255);
  CONVERTS(int16_t, -2, int64_t, -2);
  CONVERTS(int16_t, -2, uint8_t, 254);
  CONVERTS(uint16_t, 65534, int16_t, -2);
  CONVERTS(uint16_t, 65534, int64_t, 65534);
  CONVERTS(int32_t, -3, int64_t, -3);
  CONVERTS(int32_t, -3, uint64_t, UINT64_MAX - 2);
  CONVERTS(int32_t, 0x12345678, int8_t, 0x78);
  CONVERTS(uint32_t, 0xfffffffdu, int64_t, 4294967293ll);
  CONVERTS(uint32_t, 0xfffffffdu, int32_t, -3);
  CONVERTS(int64_t, INT64_MIN, int32_t, 0);
  CONVERTS(int64_t, INT64_MAX, int32_t, -1);
  CONVERTS(int64_t, INT64_MAX, uint16_t, 65535);
  CONVERTS(uint64_t, 1ull << 63, int64_t, INT64_MIN);
  CONVERTS(int32_t, 256, _Bool, 1);
  CONVERTS(int64_t, 1ll << 40, _Bool, 1);
  CONVERTS(int8_t, 0, _Bool, 0);
  return 0;
}
