// expect: all unsafe assertion
// message: shift by 32 or more
// A shift whose result nobody uses is undefined all the same.
int main(void) {
  volatile unsigned number = 1;
  volatile int by = -1;
  return (int)(number >> by);
}
