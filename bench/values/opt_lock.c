// An optimistic lock: three threads try up to N times to leave their mark and to see, a moment later, that it
// is still theirs; then they say that they are at work. Two threads can believe that at the same time, which
// fails the assertion.
#include "threads.h"

#ifndef N
#define N 1
#endif

static atomic_int mark, busy;

static int mine_after_all(int name) {
  for (int attempt = 0; attempt < N; attempt++) {
    if (load(&mark) != 0) continue;
    store(&mark, name);
    if (load(&mark) == name) return 1;
  }
  return 0;
}

static void* optimist(void* name) {
  if (!mine_after_all(number_of(name))) return NULL;
  assert(load(&busy) == 0);
  store(&busy, 1);
  store(&busy, 0);
  store(&mark, 0);
  return NULL;
}

int main(void) {
  for (int i = 1; i <= 3; i++) start(optimist, i);
  return 0;
}
