// expect: all safe
// compiler: -m32
// The list of arguments is a pointer here; passing it on reads none.
#include <stdarg.h>
#include <stdio.h>

static void log_line(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

int main(void) {
  log_line("%d", 1);
  return 0;
}
