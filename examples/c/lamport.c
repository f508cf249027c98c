// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Lamport's fast mutual exclusion (1987): without contention a thread writes and reads a constant number of
// variables.
//
// The path through `x` and `y` orders two stores before two loads. x86 lets the loads go first.
#include <assert.h>
#include <pthread.h>

enum { kThreads = 2, kNobody = 0 };

static volatile int x, y;                // numbers of threads, or kNobody
static volatile int busy[kThreads + 1];  // by number, from 1

static void lock(int me) {
  for (;;) {
    busy[me] = 1;
    x = me;
    if (y != kNobody) {
      busy[me] = 0;
      while (y != kNobody) {
      }
      continue;
    }
    y = me;
    if (x == me) return;  // the fast path
    busy[me] = 0;
    for (int other = 1; other <= kThreads; other++) {
      while (busy[other]) {
      }
    }
    if (y == me) return;
    while (y != kNobody) {
    }
  }
}

static void unlock(int me) {
  y = kNobody;
  busy[me] = 0;
}

static int inside;

static void* worker(void* argument) {
  const int me = *(int*)argument;
  lock(me);
  inside++;
  assert(inside == 1);
  inside--;
  unlock(me);
  return NULL;
}

int main(void) {
  static int numbers[kThreads] = {1, 2};
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  return 0;
}
