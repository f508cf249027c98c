// expect: all unsafe assertion
// C++: a wait without a predicate may end without a notification.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready;

int main() {
  std::thread producer([] {
    std::lock_guard<std::mutex> hold(mutex);
    ready = true;
    condition.notify_one();
  });
  {
    std::unique_lock<std::mutex> hold(mutex);
    if (!ready) condition.wait(hold);
    assert(ready);
  }
  producer.join();
  return 0;
}
