// expect: all unsafe memory
// message: 'a'
// An array of variable length ends with its block.
#include <assert.h>

int main(void) {
  volatile int n = 2;
  int* p;
  {
    int a[n];
    a[0] = 1;
    p = a;
  }
  assert(p[0] == 1);
  return 0;
}
