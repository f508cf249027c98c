// memcmp() reads all that it is told to, also behind the first difference.
// expect: all unsafe memory
// message: access out of bounds
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(2);
  text[0] = 'a', text[1] = 'b';
  return memcmp(text, "xyz", 3) == 0;
}
