// expect: all unsafe memory
// Reading a block after it was released.
#include <stdlib.h>

int main(void) {
  int* p = malloc(sizeof *p);
  *p = 1;
  free(p);
  return *p;
}
