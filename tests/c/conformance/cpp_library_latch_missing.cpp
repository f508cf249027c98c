// expect: all unsafe assertion
// compiler: -std=c++20
// The latch goes down before the data is there.
#include <cassert>
#include <latch>
#include <thread>
int data;
int main() {
  std::latch ready(1);
  std::thread t([&] { ready.count_down(); data = 1; });
  ready.wait();
  int seen = data;
  t.join();
  assert(seen == 1);
}
