// expect: all unsafe deadlock
// Two std::mutex taken in opposite order.
#include <mutex>
#include <thread>

static std::mutex a, b;

int main() {
  std::thread t([] {
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);
  });
  {
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);
  }
  t.join();
  return 0;
}
