// expect: all safe
// Lamport's fast mutual exclusion with two fences on the fast path: after each pair of a store and the load
// it is compared with. Leaving is a matter of store order only, so release stores are enough there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 2, kNobody = 0 };

static atomic_int x, y;                // numbers of threads, or kNobody
static atomic_int busy[kThreads + 1];  // by number, from 1

static int get(atomic_int* variable) { return atomic_load_explicit(variable, memory_order_acquire); }
static void set(atomic_int* variable, int value) {
  atomic_store_explicit(variable, value, memory_order_release);
}
static void fence(void) { atomic_thread_fence(memory_order_seq_cst); }

static void lock(int me) {
  for (;;) {
    set(&busy[me], 1);
    set(&x, me);
    fence();
    if (get(&y) != kNobody) {
      set(&busy[me], 0);
      while (get(&y) != kNobody) {
      }
      continue;
    }
    set(&y, me);
    fence();
    if (get(&x) == me) return;  // the fast path
    set(&busy[me], 0);
    fence();
    for (int other = 1; other <= kThreads; other++) {
      while (get(&busy[other])) {
      }
    }
    if (get(&y) == me) return;
    while (get(&y) != kNobody) {
    }
  }
}

static void unlock(int me) {
  set(&y, kNobody);
  set(&busy[me], 0);
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
