// expect: all unsafe assertion
// One argument too few is taken.
#include <assert.h>
#include <stdarg.h>

static int last(int count, ...) {
  va_list list;
  va_start(list, count);
  int found = 0;
  for (int i = 1; i < count; i++) found = va_arg(list, int);
  va_end(list);
  return found;
}

int main(void) {
  assert(last(3, 5, 6, 7) == 7);
  return 0;
}
