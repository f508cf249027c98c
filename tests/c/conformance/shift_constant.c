// The same with a constant.
// expect: all unsafe assertion
// message: shift by 64 of a 64-bit number
static volatile long number = 1;

int main(void) { return number >> 64 == 0; }
