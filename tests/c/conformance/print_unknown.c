// The text of a floating point number is not made: that is said when it is reached.
// expect: all unknown
// message: floating point
#include <stdarg.h>
#include <stdio.h>

static void report(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

int main(void) { report("%f\n", 1.5); }
