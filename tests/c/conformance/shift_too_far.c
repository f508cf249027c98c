// A shift by as many bits as the number has.
// expect: all unsafe assertion
// message: shift by 32 or more, or by less than 0, of a 32-bit number
static volatile int by = 32;

int main(void) { return 1 << by == 0; }
