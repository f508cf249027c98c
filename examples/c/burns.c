// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Burns' algorithm: mutual exclusion with one bit per thread.
//
// A thread lowers its flag while a lower-numbered one has raised its own, and then waits for the
// higher-numbered.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { kThreads = 2 };

static volatile bool flag[kThreads];

static bool somebody_before(int me) {
  for (int other = 0; other < me; other++) {
    if (flag[other]) return true;
  }
  return false;
}

static void lock(int me) {
  do {
    flag[me] = false;
    while (somebody_before(me)) {
    }
    flag[me] = true;
  } while (somebody_before(me));
  for (int other = me + 1; other < kThreads; other++) {
    while (flag[other]) {
    }
  }
}

static void unlock(int me) { flag[me] = false; }

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
  static int numbers[kThreads] = {0, 1};
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  return 0;
}
