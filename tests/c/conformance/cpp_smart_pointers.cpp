// expect: all safe
// native: 0
// options: --leaks
// std::unique_ptr: made, moved, given to a thread, released once.
#include <cassert>
#include <memory>
#include <thread>

static int destroyed;
struct Resource {
  int value = 4;
  ~Resource() { destroyed++; }
};

int main() {
  {
    auto unique = std::make_unique<Resource>();
    auto moved = std::move(unique);
    assert(!unique && moved->value == 4);
  }
  assert(destroyed == 1);
  std::thread t([owned = std::make_unique<Resource>()] { assert(owned->value == 4); });
  t.join();
  assert(destroyed == 2);
  return 0;
}
