// assert is declared by its use.
// expect: all unsafe assertion
int x;
int main(void) {
  assert(x);
  return 0;
}
