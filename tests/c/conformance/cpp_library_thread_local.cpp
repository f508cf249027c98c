// expect: all safe
// compiler: -std=c++20
// native: 0
// The destructor of a thread-local object runs when its thread ends.
#include <cassert>
#include <atomic>
#include <thread>
std::atomic<int> destroyed;
struct Logger { int n = 0; ~Logger() { destroyed++; } };
thread_local Logger logger;
int main() {
  std::thread t([] { logger.n = 1; });
  t.join();
  assert(destroyed == 1);
}
