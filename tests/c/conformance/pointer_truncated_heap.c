// A pointer that to the heap went through 32 bits.
// expect: all unsafe memory
#include <stdlib.h>

int main(void) {
  unsigned half = (unsigned)(unsigned long)malloc(4);
  *(int *)(unsigned long)half = 1;
}
