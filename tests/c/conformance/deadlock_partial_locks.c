// expect: all unsafe deadlock
// message: can never go on
// Two threads wait for each other, while main takes a lock of its own again and again to look.
#define OTHER_ORDER &b, &a
#include "two_locks.h"

int main(void) {
  start_both();
  static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;
  for (;;) {
    pthread_mutex_lock(&c);
    int enough = done == 2;
    pthread_mutex_unlock(&c);
    if (enough) return 0;
    usleep(10);
  }
}
