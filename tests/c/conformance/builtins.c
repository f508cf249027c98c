// expect: all safe
// native: 0
// Builtin functions of the compiler.
#include <assert.h>
#include <stdint.h>

static int expected(int x) { return __builtin_expect(x > 3, 0) ? 1 : 0; }

int main(void) {
  volatile uint32_t u = 0x00f00010;
  volatile uint64_t w = 0x8000000000000001ull;
  assert(__builtin_popcount(u) == 5 && __builtin_popcountll(w) == 2);
  assert(__builtin_clz(u) == 8 && __builtin_ctz(u) == 4);
  assert(__builtin_clzll(w) == 0 && __builtin_ctzll(w) == 0);
  assert(__builtin_bswap32(u) == 0x1000f000u && __builtin_bswap16(0x1234) == 0x3412);
  assert(__builtin_parity(u) == 1 && __builtin_ffs(8) == 4);
  assert(expected(4) == 1 && expected(3) == 0);
  int sum;
  assert(!__builtin_add_overflow(1, 2, &sum) && sum == 3);
  assert(__builtin_add_overflow(INT32_MAX, 1, &sum));
  unsigned product;
  assert(__builtin_mul_overflow(1u << 20, 1u << 12, &product));
  assert(!__builtin_mul_overflow(1u << 20, 1u << 11, &product) && product == 1u << 31);
  long difference;
  assert(__builtin_sub_overflow(INT64_MIN, 1l, &difference));
  assert(__builtin_constant_p(3));
  assert(__builtin_abs(-4) == 4);
  assert(__builtin_types_compatible_p(int, signed));
  if (u == 0) __builtin_unreachable();
  return 0;
}
