// expect: all safe
// compiler: -std=c++20
// native: 0
// The completion runs once for each phase.
#include <barrier>
#include <cassert>
#include <thread>
int x, y, phases;
int main() {
  std::barrier sync(2, []() noexcept { phases++; });
  std::thread t([&] { x = 1; sync.arrive_and_wait(); assert(y == 1); });
  y = 1; sync.arrive_and_wait(); assert(x == 1); assert(phases == 1);
  t.join();
}
