// An int that does not start at a multiple of four.
// expect: all unsafe assertion
// message: an access through a pointer that is not aligned to 4 bytes
#include <stdlib.h>

int main(void) {
  char *bytes = malloc(8);
  int *number = (int *)(bytes + 1);
  *number = 1;
}
