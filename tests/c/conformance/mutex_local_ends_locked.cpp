// expect: all unsafe assertion
// A mutex is destroyed while it is locked.
#include <mutex>

static void enter() {
  std::mutex local;
  local.lock();
}

int main() {
  enter();
  return 0;
}
