// Printing a string reads it.
// expect: all unsafe memory
// message: access through a null pointer
#include <stdio.h>

int main(void) {
  const char *volatile text = 0;
  puts(text);
}
