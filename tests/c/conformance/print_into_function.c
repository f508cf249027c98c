// expect: all unsafe memory
// A function is no memory to be written to, and may be an argument of its own call.
#include <stdio.h>

int main(void) {
  sprintf((char*)(void*)sprintf, "%d", 12345);
  return 0;
}
