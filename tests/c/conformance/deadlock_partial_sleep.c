// expect: all unsafe deadlock
// message: can never go on
// Two threads wait for each other, and main sleeps, for ever.
#define OTHER_ORDER &b, &a
#include "two_locks.h"

int main(void) {
  start_both();
  for (;;) sleep(1);
}
