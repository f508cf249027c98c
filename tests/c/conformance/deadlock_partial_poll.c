// expect: all unsafe deadlock
// message: can never go on, although main can
// Two threads wait for each other, and main polls for them, for ever.
#define OTHER_ORDER &b, &a
#include "two_locks.h"

int main(void) {
  start_both();
  while (done < 2) {
  }
  return 0;
}
