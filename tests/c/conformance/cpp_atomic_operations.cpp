// expect: all safe
// native: 0
// The operations of std::atomic and std::atomic_flag.
#include <atomic>
#include <cassert>

static std::atomic<int> a{5};
static std::atomic<bool> flag{false};
static std::atomic<long*> pointer;
static std::atomic_flag busy = ATOMIC_FLAG_INIT;
static long target[2];

int main() {
  assert(a.fetch_add(2) == 5 && a.load() == 7 && a.exchange(1) == 7);
  int expected = 2;
  assert(!a.compare_exchange_strong(expected, 9) && expected == 1);
  assert(a.compare_exchange_strong(expected, 9) && a == 9);
  assert(++a == 10 && a-- == 10 && (a |= 6) == 15 && (a &= 10) == 10 && (a ^= 1) == 11);
  a = 4;
  assert(a.fetch_sub(1) == 4 && int(a) == 3);
  assert(!flag.exchange(true) && flag);
  pointer = target;
  assert(pointer.fetch_add(1) == target && pointer.load() == target + 1);
  assert(!busy.test_and_set() && busy.test_and_set());
  busy.clear();
  assert(!busy.test_and_set(std::memory_order_acquire));
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return 0;
}
