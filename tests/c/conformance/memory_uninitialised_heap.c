// expect: all unsafe memory
// Reading a block of malloc before writing it.
#include <stdlib.h>

int main(void) {
  int* p = malloc(2 * sizeof *p);
  p[0] = 1;
  int sum = p[0] + p[1];
  free(p);
  return sum;
}
