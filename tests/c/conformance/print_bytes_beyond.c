// fwrite() reads as many bytes as it is told to.
// expect: all unsafe memory
// message: access out of bounds
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *bytes = malloc(2);
  bytes[0] = bytes[1] = 1;
  fwrite(bytes, 1, 3, stdout);
}
