// expect: all unknown
// message: 128
// native: 0
// Numbers of 128 bits cannot be divided: an execution that gets there is followed no further.
static volatile unsigned __int128 wide = 3;

int main(void) { return (int)(wide / 3) - 1; }
