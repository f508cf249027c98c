// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Peterson's algorithm: shorter than Dekker's, and wrong on x86 for the same reason.
//
// The accesses are relaxed atomics: no data race in the sense of C11, but the order of a store and a later
// load of something else is not kept.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool wants[2];
static atomic_int victim;

static void lock(int me) {
  const int other = 1 - me;
  atomic_store_explicit(&wants[me], true, memory_order_relaxed);
  atomic_store_explicit(&victim, me, memory_order_relaxed);
  while (atomic_load_explicit(&wants[other], memory_order_relaxed) &&
         atomic_load_explicit(&victim, memory_order_relaxed) == me) {
  }
}

static void unlock(int me) { atomic_store_explicit(&wants[me], false, memory_order_release); }

static int count;

static void* worker(void* argument) {
  const int me = *(int*)argument;
  lock(me);
  const int before = count;
  count = before + 1;
  unlock(me);
  return NULL;
}

int main(void) {
  static int numbers[2] = {0, 1};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &numbers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(count == 2);
  return 0;
}
