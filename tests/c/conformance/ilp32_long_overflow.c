// expect: all safe
// compiler: -m32
// unsigned long counts modulo 2^32, long long does not.
#include <assert.h>
#include <limits.h>
#include <stddef.h>

static unsigned long counter = ULONG_MAX - 1;

int main(void) {
  counter += 3;
  assert(counter == 1);
  unsigned long product = 65536ul * (counter + 65535ul);
  assert(product == 0);
  assert((unsigned long)-1 == 4294967295u && (size_t)-1 == 4294967295u);
  unsigned long long wide = ULONG_MAX;
  wide += 2;
  assert(wide == 4294967297ull && (unsigned long)wide == 1);
  assert(sizeof(int[3]) * (1ul << 31) == 0);
  long seconds = INT_MAX;
  assert(seconds == LONG_MAX && (long long)seconds + 1 == 2147483648ll);
  return 0;
}
