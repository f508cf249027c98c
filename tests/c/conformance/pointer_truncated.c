// A pointer that went through 32 bits.
// expect: all unsafe memory
static int number;

int main(void) {
  unsigned half = (unsigned)(unsigned long)&number;
  *(int *)(unsigned long)half = 1;
}
