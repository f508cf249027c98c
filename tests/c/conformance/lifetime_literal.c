// expect: all unsafe memory
// message: compound literal
// A compound literal ends with its block.
#include <assert.h>

int main(void) {
  int* p;
  {
    p = &(int){5};
    assert(*p == 5);
  }
  assert(*p == 5);
  return 0;
}
