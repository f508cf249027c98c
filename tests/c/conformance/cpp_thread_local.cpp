// expect: all safe
// native: 0
// thread_local in C++, with constant initialisers.
#include <cassert>
#include <thread>

static thread_local int own = 3;
static int seen;

int main() {
  own = 8;
  std::thread t([] {
    own++;
    seen = own;
  });
  t.join();
  assert(seen == 4 && own == 8);
  return 0;
}
