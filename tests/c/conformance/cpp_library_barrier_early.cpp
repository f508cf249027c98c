// expect: all unsafe assertion
// compiler: -std=c++20
// One thread arrives before it has done its part.
#include <barrier>
#include <cassert>
#include <thread>
int x;
int main() {
  std::barrier sync(2);
  std::thread t([&] {
    (void)sync.arrive();
    x = 1;
  });
  sync.arrive_and_wait();
  int seen = x;
  t.join();
  assert(seen == 1);
}
