// expect: error
// message: part of a shared variable
// Writing one byte of a shared integer is not supported, and that is said.
static int number;

int main(void) {
  ((unsigned char*)&number)[1] = 9;
  return number == 0;
}
