// expect: error
// message: setjmp
// native: 0
// Jumps between functions are not supported, and that is said.
#include <setjmp.h>

static jmp_buf place;

int main(void) {
  if (setjmp(place)) return 0;
  longjmp(place, 1);
}
