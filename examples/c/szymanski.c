// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Szymanski's algorithm (1988): a waiting room with a door. A thread tells by one small number how far it has
// come.
//
// Every step is a store to the own number followed by loads of the others', so every step can go wrong on
// x86.
#include <assert.h>
#include <pthread.h>

enum { kThreads = 2 };
enum { kOutside = 0, kWants = 1, kWaitsForOthers = 2, kInRoom = 3, kDoorClosed = 4 };

static volatile int state[kThreads];

static void lock(int me) {
  const int other = 1 - me;
  state[me] = kWants;
  while (state[other] > kWaitsForOthers) {  // the door is closed
  }
  state[me] = kInRoom;
  if (state[other] == kWants) {
    state[me] = kWaitsForOthers;
    while (state[other] != kDoorClosed) {  // let the other one in, it closes the door
    }
  }
  state[me] = kDoorClosed;
  if (me > other) {
    while (state[other] > kWants) {  // lower numbers go first
    }
  }
}

static void unlock(int me) {
  const int other = 1 - me;
  if (me < other) {
    for (int s = state[other]; s == kWaitsForOthers || s == kInRoom; s = state[other]) {
    }
  }
  state[me] = kOutside;
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
  static int numbers[kThreads] = {0, 1};
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  return 0;
}
