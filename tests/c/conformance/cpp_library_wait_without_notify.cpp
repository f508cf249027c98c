// expect: all unsafe deadlock
// compiler: -std=c++20
// options: --no-spurious-wakeups
// The value changes, but a thread that waits already is not told.
#include <atomic>
#include <thread>
std::atomic<int> flag{0};
int main() {
  std::thread t([] { flag.store(1); });
  flag.wait(0);
  t.join();
}
