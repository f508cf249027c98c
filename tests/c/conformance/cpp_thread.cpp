// expect: all safe
// native: 0
// std::thread with a lambda, std::mutex with lock_guard.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int count;

static void work(int times) {
  for (int i = 0; i < times; i++) {
    std::lock_guard<std::mutex> lock(mutex);
    count++;
  }
}

int main() {
  int local = 0;
  std::thread a(work, 1);
  std::thread b([&local] { local = 7; });
  b.join();
  a.join();
  assert(!a.joinable() && local == 7 && count == 1);
  return 0;
}
