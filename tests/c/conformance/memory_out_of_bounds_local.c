// expect: all unsafe memory
// Reading before a local array.
int main(void) {
  int array[4] = {1, 2, 3, 4};
  int* p = array;
  int sum = 0;
  for (int i = 3; i >= -1; i--) sum += p[i];
  return sum;
}
