// expect: all unsafe
// The end of the string does not fit into the array.
#include <stdarg.h>
#include <stdio.h>

static char text[4];

static void put(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsprintf(text, format, list);
  va_end(list);
}

int main(void) {
  put("%d", 1234);
  return 0;
}
