// expect: all safe
// native: 0
// Formatted output from a list of arguments, with the results of the GNU C library.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int written(char *text, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(text, size, format, list);
  va_end(list);
  return length;
}

static void report(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
}

int main(void) {
  char text[40];
  assert(written(text, sizeof text, "%d|%5d|%-4u|%03x", -7, 42, 9u, 10) == 17);
  assert(strcmp(text, "-7|   42|9   |00a") == 0);
  assert(written(text, sizeof text, "%s %.2s%c%%", "one", "two", '!') == 8);
  assert(strcmp(text, "one tw!%") == 0);
  assert(written(text, 4, "%lld", 123456789LL) == 9);
  assert(strcmp(text, "123") == 0);
  assert(written(text, sizeof text, "%*d%hhd", 3, 1, 258) == 4);
  assert(strcmp(text, "  12") == 0);
  report("%s: %zu\n", "size", sizeof text);
  return 0;
}
