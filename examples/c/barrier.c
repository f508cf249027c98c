// expect: sc safe, tso safe, pso unsafe assertion
// A barrier with a sense that changes from round to round, so that it can be used again at once.
//
// The last one to arrive sets the counter back and then turns the sense. x86 keeps these stores in order.
// Under PSO a thread that is let go can count down the old counter in the next round.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { kThreads = 2 };

static atomic_int missing = kThreads;
static atomic_bool sense;

static void wait_for_all(bool* own_sense) {
  *own_sense = !*own_sense;
  const int before = atomic_fetch_sub_explicit(&missing, 1, memory_order_acq_rel);
  assert(before >= 1);
  if (before == 1) {
    atomic_store_explicit(&missing, kThreads, memory_order_relaxed);
    atomic_store_explicit(&sense, *own_sense, memory_order_relaxed);
  } else {
    while (atomic_load_explicit(&sense, memory_order_acquire) != *own_sense) {
    }
  }
}

static int steps[kThreads];

static void* worker(void* argument) {
  int* mine = argument;
  int* other = &steps[mine == &steps[0]];
  bool own_sense = false;
  *mine = 1;
  wait_for_all(&own_sense);
  assert(*other == 1);
  wait_for_all(&own_sense);
  *mine = 2;
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, worker, &steps[i]);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  assert(missing == kThreads);
  return 0;
}
