// expect: all unsafe assertion
// compiler: -std=c++20
// An hour may be too short.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable changed;
bool ready;
int main() {
  std::thread t([] {
    std::lock_guard lock(m);
    ready = true;
    changed.notify_one();
  });
  bool in_time;
  {
    std::unique_lock lock(m);
    in_time = changed.wait_for(lock, std::chrono::hours(1), [] { return ready; });
  }
  t.join();
  assert(in_time);
}
