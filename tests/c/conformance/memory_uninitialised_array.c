// expect: all unsafe memory
// Reading an element of a local array that was not set.
static volatile int index = 2;

int main(void) {
  int array[3];
  array[0] = array[1] = 1;
  return array[index];
}
