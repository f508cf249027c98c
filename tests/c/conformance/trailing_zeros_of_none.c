// The same from the other side.
// expect: all unsafe assertion
// message: __builtin_ctz(0)
static volatile unsigned long number;

int main(void) { return __builtin_ctzl(number); }
