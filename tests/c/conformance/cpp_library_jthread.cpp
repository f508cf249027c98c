// expect: all safe
// compiler: -std=c++20
// native: 0
// A jthread is asked to stop when it is destroyed, which runs its callbacks, and joined.
#include <cassert>
#include <stop_token>
#include <thread>
#include <atomic>
int main() {
  std::atomic<int> rounds{0};
  bool called = false;
  {
    std::jthread t([&](std::stop_token stop) {
      std::stop_callback callback(stop, [&] { called = true; });
      while (!stop.stop_requested()) rounds = 1;
    });
  }
  assert(called);
}
