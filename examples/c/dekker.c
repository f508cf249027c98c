// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Dekker's algorithm, the first solution of mutual exclusion for two threads.
//
// A thread raises its flag and then looks at the other's. On x86 the raised flag waits in the store buffer
// while the look reads memory: both threads see the other's flag down, and both enter. `volatile` does not
// help, since it only binds the compiler. dekker-fenced.c shows where the fences go.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static volatile bool wants[2];
static volatile int turn;

static void lock(int me) {
  const int other = 1 - me;
  wants[me] = true;
  while (wants[other]) {
    if (turn == me) continue;
    wants[me] = false;
    while (turn != me) {
    }
    wants[me] = true;
  }
}

static void unlock(int me) {
  turn = 1 - me;
  wants[me] = false;
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
  static int numbers[2] = {0, 1};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
