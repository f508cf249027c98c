// expect: all unsafe memory
// Writing behind a local array into the next local: each variable is an object of its own.
int main(void) {
  int first[2] = {0, 0}, second[2] = {0, 0};
  volatile int index = 2;
  first[index] = 1;
  return second[0];
}
