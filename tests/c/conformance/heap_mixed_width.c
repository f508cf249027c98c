// expect: all safe
// native: 0
// A block of the heap that is used as bytes and as integers: the integers are made of the bytes.
#include <stdlib.h>
#include <string.h>

int main(void) {
  int* block = malloc(2 * sizeof *block);
  memset(block, 0, 2 * sizeof *block);
  block[0] = 5;
  int same = ((char*)block)[0] == 5;
  free(block);
  return !same;
}
