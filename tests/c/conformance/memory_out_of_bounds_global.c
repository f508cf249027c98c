// expect: all unsafe memory
// Writing one element behind a global array.
static int array[4], other;

int main(void) {
  for (int i = 0; i <= 4; i++) array[i] = i;
  return other;
}
