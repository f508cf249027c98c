// expect: all safe
// native: 0
// Arithmetic of 64-bit integers.
#include <assert.h>
#include <limits.h>
#include <stdint.h>

static uint64_t fnv(const char* text) {
  uint64_t hash = 14695981039346656037ull;
  for (; *text; text++) {
    hash ^= (unsigned char)*text;
    hash *= 1099511628211ull;
  }
  return hash;
}

int main(void) {
  uint64_t u = UINT64_MAX;
  assert(u + 1 == 0);
  assert(u * u == 1);
  assert(u / 10 == 1844674407370955161ull && u % 10 == 5);
  assert(u >> 63 == 1 && u << 63 == 0x8000000000000000ull);
  assert((uint32_t)(u >> 16) == 0xffffffffu);
  int64_t i = INT64_MIN;
  assert(i / 2 == -4611686018427387904ll);
  assert(i % 1000 == -808);
  assert(i >> 62 == -2);
  assert((uint64_t)i == 0x8000000000000000ull);
  assert(i < 0 && (uint64_t)i > 0);
  assert(fnv("a") == 0xaf63dc4c8601ec8cull);
  assert(fnv("foobar") == 0x85944171f73967e8ull);
  long l = 1l << 40;
  assert((int)l == 0 && (int)(l >> 20) == 1 << 20);
  assert(l * l == 0);
  long long ll = -1;
  assert((unsigned)ll == UINT_MAX && (unsigned char)ll == UCHAR_MAX);
  return 0;
}
