// expect: all safe
// Burns' algorithm with a fence behind the raised flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { kThreads = 2 };

static atomic_bool flag[kThreads];

static bool is_raised(int thread) { return atomic_load_explicit(&flag[thread], memory_order_acquire); }

static bool somebody_before(int me) {
  for (int other = 0; other < me; other++) {
    if (is_raised(other)) return true;
  }
  return false;
}

static void lock(int me) {
  do {
    atomic_store_explicit(&flag[me], false, memory_order_relaxed);
    while (somebody_before(me)) {
    }
    atomic_store_explicit(&flag[me], true, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
  } while (somebody_before(me));
  for (int other = me + 1; other < kThreads; other++) {
    while (is_raised(other)) {
    }
  }
}

static void unlock(int me) { atomic_store_explicit(&flag[me], false, memory_order_release); }

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
