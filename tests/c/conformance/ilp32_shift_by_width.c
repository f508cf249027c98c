// expect: all unsafe assertion
// message: shift by 32
// compiler: -m32
// A long has 32 bits.
int main(void) {
  volatile int amount = 32;
  return 1l << amount != 0;
}
