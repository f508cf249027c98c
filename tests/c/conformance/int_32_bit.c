// expect: all safe
// native: 0
// Arithmetic of 32-bit integers; unsigned ones wrap.
#include <assert.h>
#include <limits.h>
#include <stdint.h>

static unsigned mix(unsigned h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ (h >> 16);
}

int main(void) {
  unsigned u = UINT_MAX;
  assert(u + 1 == 0);
  assert(u * u == 1);
  assert(0u - 1 == UINT_MAX);
  assert(u / 3 == 1431655765u);
  assert((u >> 31) == 1);
  assert((u << 31) == 0x80000000u);
  assert(mix(1) == 0x514e28b7u);
  assert(mix(0xdeadbeefu) == 0x0de5c6a9u);
  int i = INT_MIN;
  assert(i < 0 && i + INT_MAX == -1);
  assert((unsigned)i == 0x80000000u);
  assert(i / 2 == -1073741824);
  assert(i % 10 == -8);
  assert((i >> 31) == -1);
  assert(-(i + 1) == INT_MAX);
  int32_t product = 46340 * 46340;
  assert(product == 2147395600);
  assert((~product & 0xff) == 239);
  assert((product ^ -1) == -2147395601);
  int n = 17;
  n -= 3, n *= 4, n /= 5, n %= 7;
  assert(n == 4);
  assert((n++ + ++n) == 10 && n == 6);
  return 0;
}
