// expect: all safe
// native: 0
// Labels as values: a little interpreter.
#include <assert.h>

static int run(const char* code) {
  static const void* const targets[] = {&&stop, &&add, &&twice};
  int value = 1;
#define NEXT goto* targets[(int)*code++]
  NEXT;
add:
  value += 3;
  NEXT;
twice:
  value *= 2;
  NEXT;
stop:
  return value;
}

int main(void) {
  static const char code[] = {1, 2, 2, 1, 0};
  assert(run(code) == 19);
  return 0;
}
