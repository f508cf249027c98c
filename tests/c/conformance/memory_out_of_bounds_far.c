// expect: all unsafe memory
// Half a megabyte behind a small block, where the number of bytes in an address is no longer its own.
#include <stdlib.h>

int main(void) {
  char* block = malloc(16);
  volatile long far = 1 << 19;
  if (block == NULL) return 0;
  block[far] = 1;
  free(block);
  return 0;
}
