// expect: all safe
// native: 0
// Locks are given back by the exceptions that leave their blocks: std::lock_guard and std::unique_lock.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int counter;

static void add(bool fails) {
  std::lock_guard<std::mutex> guard(mutex);
  ++counter;
  if (fails) throw 1;
}

static void work() {
  try {
    add(true);
  } catch (int) {
    std::unique_lock<std::mutex> lock(mutex);
    ++counter;
  }
}

int main() {
  std::thread other(work);
  work();
  other.join();
  std::lock_guard<std::mutex> guard(mutex);
  assert(counter == 4);
  return 0;
}
