// expect: all safe
// Szymanski's algorithm with a fence behind every store that a load of the other thread's state follows.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 2 };
enum { kOutside = 0, kWants = 1, kWaitsForOthers = 2, kInRoom = 3, kDoorClosed = 4 };

static atomic_int state[kThreads];

static int state_of(int thread) { return atomic_load_explicit(&state[thread], memory_order_acquire); }

static void enter(int me, int next) {
  atomic_store_explicit(&state[me], next, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
}

static void lock(int me) {
  const int other = 1 - me;
  enter(me, kWants);
  while (state_of(other) > kWaitsForOthers) {  // the door is closed
  }
  enter(me, kInRoom);
  if (state_of(other) == kWants) {
    enter(me, kWaitsForOthers);
    while (state_of(other) != kDoorClosed) {  // let the other one in, it closes the door
    }
  }
  enter(me, kDoorClosed);
  if (me > other) {
    while (state_of(other) > kWants) {  // lower numbers go first
    }
  }
}

static void unlock(int me) {
  const int other = 1 - me;
  if (me < other) {
    for (int s = state_of(other); s == kWaitsForOthers || s == kInRoom; s = state_of(other)) {
    }
  }
  atomic_store_explicit(&state[me], kOutside, memory_order_release);
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
