// expect: all unsafe assertion
// One bit-field is assigned, its neighbour in the same unit is read.
#include <assert.h>
#include <stdlib.h>

struct flags {
  unsigned mode : 4;
  unsigned level : 3;
};

int main(void) {
  struct flags* flags = malloc(sizeof *flags);
  flags->mode = 1;
  assert(flags->level == 0);
  free(flags);
  return 0;
}
