// expect: sc unsafe assertion, tso unsafe assertion, pso unsafe assertion
// Lost update: two threads add to a counter without a lock, and one addition disappears.
// The counter is atomic, each access by itself: it is the sum of two accesses that is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int hits;

static void* visitor(void* unused) {
  int seen = hits;
  hits = seen + 1;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, visitor, NULL);
  pthread_create(&second, NULL, visitor, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(hits == 2);
}
