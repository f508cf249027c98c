// expect: all safe
// Who still waits when main returns is over with the program.
#define OTHER_ORDER &b, &a
#include "two_locks.h"

int main(void) {
  start_both();
  sleep(1);
  return 0;
}
