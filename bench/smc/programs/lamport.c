// Lamport's fast mutual exclusion, N times by each of two threads; what waits longer is cut by an assumption.
#include "threads.h"

void __VERIFIER_assume(int condition);

static atomic_int trying[2], first, owner;
static int inside;

static void* contender(void* number) {
  int me = number_of(number), name = me + 1;
  for (int round = 0; round < N; round++) {
    store(&trying[me], 1);
    store(&first, name);
    if (load(&owner) != 0) {
      store(&trying[me], 0);
      continue;
    }
    store(&owner, name);
    if (load(&first) != name) {
      store(&trying[me], 0);
      __VERIFIER_assume(!load(&trying[1 - me]));
      if (load(&owner) != name) continue;
    }
    inside = name;
    assert(inside == name);
    store(&owner, 0);
    store(&trying[me], 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  init_all(trying, 2, 0);
  atomic_init(&first, 0);
  atomic_init(&owner, 0);
  create_all(threads, 2, contender);
  join_all(threads, 2);
  return 0;
}
