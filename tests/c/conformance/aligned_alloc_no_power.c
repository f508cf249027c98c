// expect: all unsafe
// message: alignment that is no power of two
#include <stdlib.h>

int main(void) {
  volatile size_t alignment = 24;
  free(aligned_alloc(alignment, 48));
  return 0;
}
