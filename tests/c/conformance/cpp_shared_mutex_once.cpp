// expect: all safe
// native: 0
// std::shared_mutex, std::recursive_mutex, std::call_once, std::scoped_lock.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex shared;
static std::recursive_mutex recursive;
static std::once_flag once;
static std::mutex a, b;
static int value, runs, depth;

static void descend(int n) {
  std::lock_guard<std::recursive_mutex> lock(recursive);
  depth++;
  if (n) descend(n - 1);
}

int main() {
  std::thread t([] {
    std::call_once(once, [] { runs++; });
    std::unique_lock<std::shared_mutex> lock(shared);
    value = 1;
  });
  std::call_once(once, [] { runs++; });
  assert(runs == 1);
  {
    std::shared_lock<std::shared_mutex> lock(shared);
    assert(value == 0 || value == 1);
  }
  t.join();
  assert(value == 1);
  descend(2);
  assert(depth == 3);
  {
    std::scoped_lock both(a, b);
    value = 2;
  }
  return 0;
}
