// memcpy() of memory that overlaps.
// expect: all unsafe assertion
// message: memory is copied to memory that overlaps it
#include <string.h>
static char text[8] = "abcdefg";
static volatile int by = 2;

int main(void) { memcpy(text + by, text, 4); }
