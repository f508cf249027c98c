// expect: all safe
// native: 5
// Functions registered with atexit run in reverse order, after main.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int order;

static void last(void) {
  assert(order == 12);
  _exit(5);
}
static void second(void) { order = 10 * order + 2; }
static void first(void) { order = 10 * order + 1; }

int main(void) {
  atexit(last);
  atexit(second);
  atexit(first);
  return 0;
}
