// expect: all unsafe
// A function that must not return does, by a lie of its declaration.
static volatile int x = 3;

int main(void) {
  switch (x) {
    case 1: return 1;
    case 2: return 2;
    default: __builtin_unreachable();
  }
}
