// A word read from a block of six bytes.
// expect: all unsafe memory
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char* p = malloc(6);
  memset(p, 0, 6);
  uint64_t v;
  memcpy(&v, p, 8);
  return (int)v;
}
