// expect: all unknown
// message: or one of more than 516095 bytes
// A block that is larger than the model has is no verdict.
#include <stdlib.h>

int main(void) {
  char *block = malloc(600000);
  block[0] = 1;
  free(block);
  return 0;
}
