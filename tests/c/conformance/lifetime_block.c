// expect: all unsafe memory
// message: 'x'
// A local is used after its block, though nobody else has its address.
#include <assert.h>

int main(void) {
  int* p;
  {
    int x = 5;
    p = &x;
  }
  assert(*p == 5);
  return 0;
}
