// expect: all unsafe deadlock
// An exception leaves a function that has locked a mutex by hand: nobody unlocks it.
#include <mutex>
#include <thread>

static std::mutex mutex;

static void work() {
  try {
    mutex.lock();
    throw 1;
    mutex.unlock();
  } catch (int) {
  }
}

int main() {
  std::thread other(work);
  other.join();
  mutex.lock();
  mutex.unlock();
  return 0;
}
