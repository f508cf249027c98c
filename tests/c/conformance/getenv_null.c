// expect: all unknown
// message: getenv
// The environment is empty.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(getenv("WEIR_NO_SUCH_VARIABLE") == NULL);
  return 0;
}
