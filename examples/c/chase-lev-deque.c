// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// The work-stealing deque of Chase and Lev (2005), as in many schedulers: its owner pushes and takes at the
// bottom without locked instructions, thieves steal at the top.
//
// `take` stores the new bottom and then reads the top. On x86 the load can go first: the owner and a thief
// both get the last element. Le, Pop, Cohen and Zappa Nardelli (2013) give the fences for C11.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kEmpty = -1, kCapacity = 4 };

static atomic_long top, bottom;
static atomic_int tasks[kCapacity];

static void push(int task) {
  const long b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&tasks[b % kCapacity], task, memory_order_relaxed);
  atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static int take(void) {
  const long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  long t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return kEmpty;
  }
  const int task = atomic_load_explicit(&tasks[b % kCapacity], memory_order_relaxed);
  if (t < b) return task;
  const int won = atomic_compare_exchange_strong(&top, &t, t + 1);  // the last one: race with thieves
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

static atomic_int executed[2];

static void execute(int task) {
  if (task == kEmpty) return;
  const int before = atomic_fetch_add(&executed[task], 1);
  assert(before == 0);
}

static void* thief(void* unused) {
  execute(steal());
  execute(steal());
  return unused;
}

int main(void) {
  push(0);
  push(1);
  pthread_t t;
  pthread_create(&t, NULL, thief, NULL);
  execute(take());
  execute(take());
  pthread_join(t, NULL);
  execute(take());
  assert(executed[0] == 1 && executed[1] == 1);
  return 0;
}
