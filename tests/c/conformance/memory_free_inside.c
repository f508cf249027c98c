// expect: all unsafe memory
// Releasing an address inside a block.
#include <stdlib.h>

int main(void) {
  int* p = malloc(4 * sizeof *p);
  free(p + 1);
  return 0;
}
