// expect: sc safe, tso safe, pso unsafe
// The queue lock of Mellor-Crummey and Scott: each waiting thread spins on a variable of its own.
//
// A thread swaps itself in as the tail, links itself behind its predecessor and waits until that hands the
// lock over. Handing over is a plain store. x86 keeps it behind the critical section; PSO does not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct waiter {
  struct waiter* _Atomic next;
  atomic_int waits;
};

static struct waiter* _Atomic tail;

static void lock(struct waiter* me) {
  atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&me->waits, 1, memory_order_relaxed);
  struct waiter* before = atomic_exchange(&tail, me);
  if (before == NULL) return;
  atomic_store_explicit(&before->next, me, memory_order_relaxed);
  while (atomic_load_explicit(&me->waits, memory_order_relaxed)) {
  }
}

static void unlock(struct waiter* me) {
  struct waiter* after = atomic_load_explicit(&me->next, memory_order_relaxed);
  if (after == NULL) {
    struct waiter* expected = me;
    if (atomic_compare_exchange_strong(&tail, &expected, NULL)) return;
    while ((after = atomic_load_explicit(&me->next, memory_order_relaxed)) == NULL) {
    }
  }
  atomic_store_explicit(&after->waits, 0, memory_order_relaxed);
}

static struct waiter waiters[2];
static int count;

static void* worker(void* argument) {
  struct waiter* me = argument;
  lock(me);
  const int before = count;
  count = before + 1;
  unlock(me);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, &waiters[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(count == 2);
  return 0;
}
