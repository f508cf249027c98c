// expect: all unsafe assertion
// __VERIFIER_nondet_int finds the value that breaks the program.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n * n == 9) reach_error();
  return 0;
}
