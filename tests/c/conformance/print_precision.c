// A precision bounds how far a string is read; without one it has no end here.
// expect: all unsafe memory
// message: access out of bounds
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *text = malloc(3);
  text[0] = 'a', text[1] = 'b', text[2] = 'c';
  printf("%.3s", text);
  printf("%.*s", 2, text);
  printf("%.*s", -1, text);
}
