// expect: sc safe, tso safe
// native: 0
// Two threads wait for a std::condition_variable, notify_all wakes both; std::unique_lock is unlocked by
// hand.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool open;
static int passed;

static void wait() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!open) condition.wait(lock);
  passed++;
  lock.unlock();
}

int main() {
  std::thread a(wait), b(wait);
  {
    std::lock_guard<std::mutex> lock(mutex);
    open = true;
  }
  condition.notify_all();
  a.join();
  b.join();
  assert(passed == 2);
  return 0;
}
