// What realloc cut off cannot be read, in part either.
// expect: all unsafe memory
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  uint64_t* p = malloc(16);
  p[0] = 1;
  p[1] = 2;
  char* b = realloc(p, 12);
  return (int)((uint64_t*)b)[1] & 0;
}
