// expect: all unsafe memory
// Writing behind a block of the heap: the string has no room for its end.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char* copy = malloc(strlen("text"));
  strcpy(copy, "text");
  free(copy);
  return 0;
}
