// expect: all unsafe memory
// Releasing what was never allocated.
#include <stdlib.h>

static int global;

int main(void) {
  int* volatile p = &global;
  free(p);
  return 0;
}
