// expect: all unsafe memory
// message: 'x'
// A parameter ends with its function.
#include <assert.h>

static int* volatile kept;

static void keep(int x) { kept = &x; }

int main(void) {
  keep(3);
  assert(*kept == 3);
  return 0;
}
