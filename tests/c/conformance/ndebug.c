// expect: all safe
// native: 0
// compiler: -DNDEBUG -DVALUE=3
// Options for the compiler: assertions are off, a macro is defined.
#include <assert.h>

int main(void) {
  assert(0);
  return VALUE - 3;
}
