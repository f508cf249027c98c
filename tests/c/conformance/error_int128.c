// expect: error
// message: 128
// native: 0
// Integers of 128 bits are not supported, and that is said.
static volatile unsigned __int128 wide = 1;

int main(void) { return (int)(wide << 100 >> 100) - 1; }
