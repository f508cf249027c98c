// expect: all unknown
// message: __VERIFIER_nondet
// __VERIFIER_assume cuts executions: what would violate the assertion is left out.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#include <assert.h>

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 1);
  assert(n >= 2);
  return 0;
}
