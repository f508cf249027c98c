// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Throwing is no fence: stores are still in the buffer when the handler runs.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int first, second;

static void write_and_fail(std::atomic<int>& place) {
  place.store(1, std::memory_order_relaxed);
  throw 1;
}

int main() {
  std::thread one([] {
    try {
      write_and_fail(x);
    } catch (int) {
      first = y.load(std::memory_order_relaxed);
    }
  });
  std::thread two([] {
    try {
      write_and_fail(y);
    } catch (int) {
      second = x.load(std::memory_order_relaxed);
    }
  });
  one.join();
  two.join();
  assert(first == 1 || second == 1);
  return 0;
}
