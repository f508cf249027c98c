// expect: all safe
// The same without --leaks.
#include <stdlib.h>

int main(void) {
  int* p = malloc(sizeof *p);
  *p = 1;
  return 0;
}
