// expect: all safe
// native: 3
// exit ends the program, whatever would follow.
#include <assert.h>
#include <stdlib.h>

static void leave(int depth) {
  if (depth == 0) exit(3);
  leave(depth - 1);
}

int main(void) {
  leave(2);
  assert(0);
}
