// THREADS threads each try N times to get into a critical section; a program defines how to enter and to
// leave. `enter` looks once where the algorithm waits, and returns 0, having withdrawn, if it would have to
// wait: so every execution ends. The critical section reads and writes one variable, which shows when two
// threads are in it.
#include "threads.h"

#ifndef N
#define N 2
#endif
#ifndef THREADS
#define THREADS 2
#endif

static int enter(int me);
static void leave(int me);

static atomic_int inside;

static void critical_section(void) {
  assert(load(&inside) == 0);
  store(&inside, 1);
  store(&inside, 0);
}

static void* competitor(void* number) {
  for (int round = 0; round < N; round++) {
    if (!enter(number_of(number))) continue;
    critical_section();
    leave(number_of(number));
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < THREADS; i++) start(competitor, i);
  return 0;
}
