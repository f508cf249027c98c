// expect: all unknown
// message: __VERIFIER_nondet_int
// Not every int is tried: without a violation there is no answer `safe`.
extern int __VERIFIER_nondet_int(void);
#include <assert.h>

int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(n != 1000);
  return 0;
}
