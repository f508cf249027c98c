// expect: all unknown
// message: setjmp
// native: 0
// Jumps between functions are not supported: an execution that gets there is followed no further.
#include <setjmp.h>

static jmp_buf place;

int main(void) {
  if (setjmp(place)) return 0;
  longjmp(place, 1);
}
