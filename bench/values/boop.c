// A toy driver in the manner of SV-COMP's 27_Boop: N threads open a device if it is not locked and then lock
// it, another closes it again and unlocks it, all in separate reads and writes; a check that a locked device
// is in use can fail.
#include "threads.h"

#ifndef N
#define N 2
#endif

static atomic_int users, locked;

static void* opener(void* unused) {
  if (load(&locked)) return NULL;
  store(&users, load(&users) + 1);
  store(&locked, 1);
  return NULL;
}

static void* closer(void* unused) {
  if (load(&users) == 0) return NULL;
  store(&users, load(&users) - 1);
  store(&locked, 0);
  return NULL;
}

static void* checker(void* unused) {
  if (load(&locked)) assert(load(&users) > 0);
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; i++) start(opener, i);
  start(closer, 0);
  start(checker, 0);
  return 0;
}
