// expect: all safe
// native: 0
// A waiting thread that finds that the other one has failed throws, and leaves the lock behind.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

struct Closed {};

static std::mutex mutex;
static std::condition_variable condition;
static bool closed;

static void receive() {
  std::unique_lock<std::mutex> lock(mutex);
  condition.wait(lock, [] {
    if (closed) throw Closed();
    return false;
  });
}

int main() {
  bool told = false;
  std::thread sender([] {
    std::lock_guard<std::mutex> guard(mutex);
    closed = true;
    condition.notify_one();
  });
  try {
    receive();
  } catch (const Closed&) {
    told = true;
  }
  sender.join();
  std::lock_guard<std::mutex> guard(mutex);
  assert(told);
  return 0;
}
