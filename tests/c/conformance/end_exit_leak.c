// expect: all unsafe memory
// options: --leaks
// Memory that is still there when the program calls exit.
#include <stdlib.h>

int main(void) {
  int* p = malloc(sizeof *p);
  if (p) *p = 1;
  exit(0);
}
