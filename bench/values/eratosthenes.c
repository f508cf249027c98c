// The sieve of Eratosthenes up to N, by two threads that both do all of it: a number that is found unmarked
// has its multiples marked, mostly with the mark that is there already.
#include "threads.h"

#ifndef N
#define N 12
#endif

static atomic_int composite[N + 1];

static void* sieve(void* unused) {
  for (int i = 2; 2 * i <= N; i++) {
    if (load(&composite[i])) continue;
    for (int multiple = 2 * i; multiple <= N; multiple += i) store(&composite[multiple], 1);
  }
  return NULL;
}

int main(void) {
  start(sieve, 0);
  start(sieve, 1);
  return 0;
}
