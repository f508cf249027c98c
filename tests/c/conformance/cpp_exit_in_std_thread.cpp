// expect: all safe
// native: 0
// A std::thread that calls pthread_exit: what it was given is destroyed too.
#include <atomic>
#include <cassert>
#include <pthread.h>
#include <thread>

static std::atomic<int> alive;

struct Given {
  Given() { ++alive; }
  Given(const Given&) { ++alive; }
  ~Given() { --alive; }
};

int main() {
  {
    Given given;
    std::thread other([given] { pthread_exit(nullptr); });
    other.join();
    assert(alive == 1);
  }
  assert(alive == 0);
  return 0;
}
