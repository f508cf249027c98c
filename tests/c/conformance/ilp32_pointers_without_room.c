// expect: all unknown
// message: no room in 32 bits
// compiler: -m32
// A large block whose size is computed: its pointer cannot be kept in memory.
#include <stdlib.h>

static char *kept;

int main(void) {
  volatile size_t size = 100000;
  kept = malloc(size);
  kept[0] = 1;
  return 0;
}
