// Printing a string that was released.
// expect: all unsafe memory
// message: access to memory that was released
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(6);
  strcpy(text, "hello");
  free(text);
  printf("%d: %s\n", 1, text);
}
