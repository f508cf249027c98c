// expect: all safe
// compiler: -std=c++20
// native: 0
// Waiting for a change of an atomic, in its three forms.
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> flag{0};
std::atomic<bool> other{false};
std::atomic_flag third = ATOMIC_FLAG_INIT;
int data;
int main() {
  std::thread t([&] { data = 1; flag = 1; flag.notify_one(); other = true; other.notify_all(); third.test_and_set(); third.notify_one(); });
  flag.wait(0);
  assert(data == 1);
  other.wait(false);
  third.wait(false);
  t.join();
}
