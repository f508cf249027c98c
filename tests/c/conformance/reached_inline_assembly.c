// expect: all unknown
// message: cpuid
// Assembly that Weir does not know is shown, not guessed.
int main(void) {
  int a = 0, b, c, d;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
  return a + b + c + d == 0;
}
