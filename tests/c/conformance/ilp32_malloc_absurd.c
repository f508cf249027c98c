// expect: all safe
// compiler: -m32
// Sizes that no object can have where size_t has 32 bits.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  volatile size_t half = (size_t)1 << 31, most = SIZE_MAX;
  assert(malloc(half) == NULL && malloc(most) == NULL && malloc(most - 15) == NULL);
  assert(calloc(65536, 65536) == NULL && calloc(65536, 65537) == NULL && calloc(half, 2) == NULL);
  char *block = malloc(1);
  assert(realloc(block, most) == NULL && reallocarray(block, half, 2) == NULL);
  free(block);
  return 0;
}
