// expect: all safe
// compiler: -std=c++20
// native: 0
// What was done before the latch went down is seen behind it.
#include <cassert>
#include <latch>
#include <thread>
int data;
int main() {
  std::latch ready(1);
  std::thread t([&] { data = 1; ready.count_down(); });
  ready.wait();
  assert(data == 1);
  t.join();
}
