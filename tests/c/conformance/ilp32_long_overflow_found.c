// expect: all unsafe assertion
// compiler: -m32
// Right with 64 bits: the product of two numbers below 2^17.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned long rows = 65536 + (unsigned)__VERIFIER_nondet_int();
  unsigned long cells = rows * rows;
  assert(cells >= rows);
  return 0;
}
