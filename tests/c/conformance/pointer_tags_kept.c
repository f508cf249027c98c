// A pointer that is used without taking the version number out.
// expect: all unsafe memory
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  int *number = malloc(sizeof *number);
  *number = 1;
  int *tagged = (int *)((uintptr_t)number | (uintptr_t)3 << 48);
  return *tagged;
}
