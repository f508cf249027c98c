// expect: all unknown
// message: long double
// native: 0
// long double has 80 bits: not supported, and an execution that gets there is followed no further.
static volatile long double third = 1.0L / 3;

int main(void) { return third * 3 != 1.0L; }
