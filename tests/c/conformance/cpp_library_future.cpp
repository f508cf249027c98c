// expect: sc safe, tso safe
// compiler: -std=c++20
// native: 0
// A future waits for its promise.
#include <cassert>
#include <future>
#include <thread>
int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread t([&] { promise.set_value(7); });
  assert(future.get() == 7);
  t.join();
}
