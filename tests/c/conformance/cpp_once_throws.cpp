// expect: all safe
// native: 0
// std::call_once with a function that throws: the flag is not set, and another call tries again.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int attempts, done;

static void attempt() {
  try {
    std::call_once(once, [] {
      if (++attempts == 1) throw 1;
      done = 1;
    });
  } catch (int) {
    std::call_once(once, [] {
      ++attempts;
      done = 1;
    });
  }
}

int main() {
  std::thread other(attempt);
  attempt();
  other.join();
  assert(done == 1 && attempts == 2);
  return 0;
}
