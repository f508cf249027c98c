// expect: all safe
// std::shared_ptr of libstdc++ looks at two counters of 32 bits as one number of 64.
#include <cassert>
#include <memory>
#include <thread>

int main() {
  auto shared = std::make_shared<int>(4);
  std::thread t([copy = shared]() mutable {
    assert(*copy == 4);
    copy.reset();
  });
  shared.reset();
  t.join();
  return 0;
}
