// expect: all unsafe
// Reading a local variable that only one branch has set.
static volatile int condition;

int main(void) {
  int value;
  if (condition) value = 3;
  if (value == 3) return 1;
  return 0;
}
