// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// Store buffering with std::atomic and std::thread.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x, y;
static int r1, r2;

int main() {
  std::thread a([] {
    x.store(1, std::memory_order_release);
    r1 = y.load(std::memory_order_acquire);
  });
  std::thread b([] {
    y.store(1, std::memory_order_release);
    r2 = x.load(std::memory_order_acquire);
  });
  a.join();
  b.join();
  assert(r1 || r2);
  return 0;
}
