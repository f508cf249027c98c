// expect: all unknown
// message: part of a shared variable
// Writing one byte of a shared integer is not supported: an execution that gets there is followed no further.
static int number;

int main(void) {
  ((unsigned char*)&number)[1] = 9;
  return number == 0;
}
