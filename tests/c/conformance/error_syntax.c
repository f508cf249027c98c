// expect: error
// message: error_syntax.c:7:
// What clang says about a program that is none.
int main(void) {
  int x = 1;
  // the next line lacks an operand
  return x + ;
}
