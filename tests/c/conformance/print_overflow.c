// sprintf() writes beyond the end of its buffer.
// expect: all unsafe memory
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *text = malloc(4);
  sprintf(text, "%d", 12345);
}
