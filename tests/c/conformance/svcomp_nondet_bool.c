// expect: all safe
// __VERIFIER_nondet_bool gives both values, which is all there are: the answer is a proof.
extern _Bool __VERIFIER_nondet_bool(void);
#include <assert.h>

int main(void) {
  _Bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
  assert((a && b) == !(!a || !b));
  assert(a == 0 || a == 1);
  return 0;
}
