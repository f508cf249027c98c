// What a list of arguments leads to cannot be known: that is said when it is reached.
// expect: all unknown
// message: a call of vprintf()
#include <stdarg.h>
#include <stdio.h>

static void report(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

int main(void) { report("%s\n", "text"); }
