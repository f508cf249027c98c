// expect: all safe
// native: 0
// The bytes of a shared integer can be read.
#include <assert.h>

static int number = 0x01020304;

int main(void) {
  unsigned char* bytes = (unsigned char*)&number;
  assert(bytes[0] == 4 && bytes[3] == 1);
  number = 0x11223344;
  assert(bytes[0] == 0x44 && bytes[2] == 0x22);
  return 0;
}
