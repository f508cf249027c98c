// expect: all unknown
// message: crc32
// Assembly that Weir does not know is shown, not guessed.
int main(void) {
  unsigned sum = 0, byte = 1;
  __asm__ volatile("crc32l %1, %0" : "+r"(sum) : "r"(byte));
  return sum == 0;
}
