// expect: all unknown
// message: 128
// native: 0
// Integers of 128 bits are not supported: an execution that gets there is followed no further.
static volatile unsigned __int128 wide = 1;

int main(void) { return (int)(wide << 100 >> 100) - 1; }
