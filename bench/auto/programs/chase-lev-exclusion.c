// expect: tso safe
// The work-stealing deque of Chase and Lev with the fence that `take` needs: no task is executed by two at a time, or
// twice. The owner goes on to push while two thieves steal.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef THIEVES
#define THIEVES 2
#endif
enum { kEmpty = -1, kCapacity = 4 };

static atomic_long top, bottom;
static atomic_int tasks[kCapacity];
static atomic_int inside[2 * ROUNDS];

static void push(int task) {
  const long b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&tasks[b % kCapacity], task, memory_order_relaxed);
  atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static int take(void) {
  const long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  long t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return kEmpty;
  }
  const int task = atomic_load_explicit(&tasks[b % kCapacity], memory_order_relaxed);
  if (t < b) return task;
  const int won = atomic_compare_exchange_strong(&top, &t, t + 1);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return won ? task : kEmpty;
}

static int steal(void) {
  long t = atomic_load_explicit(&top, memory_order_acquire);
  const long b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b) return kEmpty;
  const int task = atomic_load_explicit(&tasks[t % kCapacity], memory_order_relaxed);
  return atomic_compare_exchange_strong(&top, &t, t + 1) ? task : kEmpty;
}

static void execute(int task) {
  if (task == kEmpty) return;
  assert(atomic_load_explicit(&inside[task], memory_order_relaxed) == 0);
  atomic_store_explicit(&inside[task], 1, memory_order_relaxed);
}

static void* thief(void* unused) {
  execute(steal());
  execute(steal());
  return unused;
}

int main(void) {
  pthread_t thieves[THIEVES];
  push(0);
  for (int i = 0; i < THIEVES; i++) pthread_create(&thieves[i], NULL, thief, NULL);
  for (int i = 0; i < ROUNDS; i++) {
    push(2 * i + 1);
    if (i + 1 < ROUNDS) push(2 * i + 2);
    execute(take());
    execute(take());
  }
  for (int i = 0; i < THIEVES; i++) pthread_join(thieves[i], NULL);
  return 0;
}
