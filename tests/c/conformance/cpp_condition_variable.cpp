// expect: all safe
// native: 0
// std::condition_variable with a predicate, std::unique_lock.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready;
static int data;

int main() {
  std::thread producer([] {
    {
      std::lock_guard<std::mutex> lock(mutex);
      data = 3;
      ready = true;
    }
    condition.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [] { return ready; });
    assert(data == 3);
  }
  producer.join();
  return 0;
}
