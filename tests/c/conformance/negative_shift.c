// expect: all safe
// native: 0
// Shifting negative numbers to the right keeps the sign; wide unsigned shifts do not.
#include <assert.h>
#include <stdint.h>

static volatile int n = -8;
static volatile int64_t w = -1;

int main(void) {
  assert(n >> 1 == -4 && (unsigned)n >> 28 == 15);
  assert(w >> 40 == -1 && (uint64_t)w >> 40 == 0xffffff);
  short s = (short)n;
  s >>= 2;
  assert(s == -2);
  return 0;
}
