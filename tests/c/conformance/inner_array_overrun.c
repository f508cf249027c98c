// An index that leaves the inner array, but not the outer one.
// expect: all unsafe assertion
// message: an index is outside its array, which has 4 elements
static int matrix[2][4];
static volatile int index = 4;

int main(void) {
  matrix[0][index] = 1;
  return matrix[1][0];
}
