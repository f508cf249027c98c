// expect: all safe
// compiler: -std=c++20
// native: 0
// Timed mutexes and waits may time out; who has the lock excludes others.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
std::timed_mutex m;
std::recursive_timed_mutex r;
std::shared_timed_mutex s;
std::mutex plain; std::condition_variable c;
int n;
int main() {
  using namespace std::chrono_literals;
  std::thread t([] { if (m.try_lock_for(1ms)) { n++; m.unlock(); } });
  { std::scoped_lock lock(m, r); n++; }
  if (s.try_lock_shared_for(1ms)) s.unlock_shared();
  { std::unique_lock lock(plain); c.wait_for(lock, 1ms); c.wait_until(lock, std::chrono::steady_clock::now() + 1ms, [] { return false; }); }
  std::this_thread::sleep_for(1ms);
  t.join();
  assert(n == 1 || n == 2);
}
