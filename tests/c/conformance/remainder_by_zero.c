// expect: all unsafe
// The remainder of unsigned numbers by zero.
static volatile unsigned n = 5;

int main(void) { return (int)(7u % (n - 5)); }
