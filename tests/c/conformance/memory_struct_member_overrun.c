// expect: all unsafe memory
// An index that leaves the array in a global structure, and the structure with it.
static struct {
  int numbers[4];
  int last;
} shared;

int main(void) {
  volatile int index = 7;
  shared.numbers[index] = 1;
  return shared.last;
}
