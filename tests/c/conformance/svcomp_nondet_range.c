// expect: all unsafe assertion
// options: --nondet-range -5..5
// A wider range finds more.
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#include <assert.h>

int main(void) {
  int n = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  assert(!(n == -5 && c == 5));
  return 0;
}
