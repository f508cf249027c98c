// N threads draw a ticket, wait for their number and increment a counter, which must not lose one. Executions
// in which a thread sees another number when it looks are cut by an assumption.
#include "threads.h"

#ifndef N
#define N 4
#endif

static atomic_int next_ticket, serving, counter;

static void* customer(void* unused) {
  int mine = fetch_add(&next_ticket, 1);
  __VERIFIER_assume(load(&serving) == mine);
  int value = load(&counter);
  assert(value == mine);
  store(&counter, value + 1);
  store(&serving, mine + 1);
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; i++) start(customer, i);
  return 0;
}
