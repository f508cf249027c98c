// expect: all safe
// native: 0
// One byte of a shared integer is written; the others stay.
#include <assert.h>

static int number = 0x11223344;

int main(void) {
  ((unsigned char*)&number)[1] = 9;
  assert(number == 0x11220944);
  return 0;
}
