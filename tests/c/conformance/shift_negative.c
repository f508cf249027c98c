// A shift by a negative number.
// expect: all unsafe assertion
// message: of a 64-bit number
static volatile int by = -1;

int main(void) { return 1ul >> by == 0; }
