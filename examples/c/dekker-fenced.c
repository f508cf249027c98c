// expect: all safe
// Dekker's algorithm with the fences it needs.
//
// On x86 one fence after raising the flag is enough, in both places. For PSO, where stores may overtake each
// other, the stores that leave the critical section must also stay behind what was done in it: a release
// fence says so.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool wants[2];
static atomic_int turn;

static bool read_flag(int i) { return atomic_load_explicit(&wants[i], memory_order_acquire); }
static int read_turn(void) { return atomic_load_explicit(&turn, memory_order_acquire); }

static void raise_flag(int me) {
  atomic_store_explicit(&wants[me], true, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
}

static void lock(int me) {
  const int other = 1 - me;
  raise_flag(me);
  while (read_flag(other)) {
    if (read_turn() == me) continue;
    atomic_store_explicit(&wants[me], false, memory_order_relaxed);
    while (read_turn() != me) {
    }
    raise_flag(me);
  }
}

static void unlock(int me) {
  atomic_store_explicit(&turn, 1 - me, memory_order_release);
  atomic_store_explicit(&wants[me], false, memory_order_release);
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
