// The address of a large block has no room for version numbers: that is said, and nothing is claimed.
// expect: all unknown
// message: by an address without its highest bits
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *block = malloc(5000);
  block[0] = 1;
  uint64_t packed = (uint64_t)(uintptr_t)block & 0xFFFFFFFFFFFF;
  char *same = (char *)(uintptr_t)packed;
  assert(*same == 1);
}
