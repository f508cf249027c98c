// expect: all unsafe assertion
// compiler: -std=c++20
// A thread-local object lives as long as its thread, and not longer.
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> alive{0};
struct Guard {
  Guard() { alive++; }
  ~Guard() { alive--; }
};
int main() {
  std::thread t([] {
    thread_local Guard guard;
    (void)&guard;
  });
  int seen = alive;
  t.join();
  assert(alive == 0);
  assert(seen == 0);
}
