// expect: all unsafe memory
// options: --failing-malloc
// message: null pointer
// Memory may run out, if that is asked for.
#include <stdlib.h>

int main(void) {
  int* number = malloc(sizeof *number);
  *number = 1;
  free(number);
  return 0;
}
