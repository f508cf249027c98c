// expect: all safe
// Variables that no file defines have addresses, which may be kept and compared, and code that uses them
// matters only where an execution reaches it.
#include <assert.h>

extern int defined_by_nobody, nor_this;
static int* table[] = {&defined_by_nobody, &nor_this, 0};
static volatile int never;

int main(void) {
  int count = 0;
  while (table[count]) ++count;
  assert(count == 2 && table[0] != table[1]);
  if (never) defined_by_nobody = nor_this;
  return 0;
}
