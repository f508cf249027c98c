// expect: all unsafe memory
// message: bounds
// compiler: -m32
// The size of the array is computed modulo 2^32.
#include <stdlib.h>

struct cell {
  long long a, b;
};

int main(void) {
  volatile size_t count = ((size_t)1 << 28) + 1;
  struct cell *cells = malloc(count * sizeof *cells);
  cells[1].a = 1;
  return 0;
}
