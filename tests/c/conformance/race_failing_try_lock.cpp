// expect: all unsafe race
// options: --races
// That a lock is taken by somebody tells nothing about what that one did before.
#include <mutex>
#include <thread>

static std::mutex taken;
static int data;

int main() {
  std::thread writer([] {
    data = 1;
    taken.lock();
  });
  if (taken.try_lock())
    taken.unlock();
  else
    data = 2;
  writer.join();
  return 0;
}
