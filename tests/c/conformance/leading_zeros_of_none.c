// There is no bit to count the zeros before.
// expect: all unsafe assertion
// message: __builtin_clz(0)
static volatile unsigned number;

int main(void) { return __builtin_clz(number); }
