// expect: all unsafe assertion
// As unused_shift.c, for a floating point number that does not fit.
int main(void) {
  volatile double large = 1e10;
  (void)(int)large;
  return 0;
}
