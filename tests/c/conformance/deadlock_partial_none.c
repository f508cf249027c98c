// expect: all safe
// Both take the locks in the same order; main polls until they are through.
#define OTHER_ORDER &a, &b
#include "two_locks.h"

int main(void) {
  start_both();
  while (done < 2) {
  }
  return 0;
}
