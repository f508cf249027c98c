// expect: all unknown
// message: va_arg
// native: 0
// A function that looks at its variable arguments and is called through a pointer: an execution that gets there is followed no
// further.
#include <stdarg.h>

static int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  while (count--) total += va_arg(list, int);
  va_end(list);
  return total;
}

int (*volatile chosen)(int, ...) = sum;

int main(void) { return chosen(3, 1, 2, 3) - 6; }
