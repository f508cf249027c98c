// expect: all safe
// native: 0
// Constructors of static objects run before main, those of static locals once, whoever comes first.
#include <cassert>
#include <thread>

static int order;

struct Registered {
  explicit Registered(int digit) { order = 10 * order + digit; }
};
static Registered first(1), second(2);

static int made;
struct Single {
  int value;
  Single() : value(9) { made++; }
};
static Single& single() {
  static Single instance;
  return instance;
}

int main() {
  assert(order == 12);
  std::thread t([] { assert(single().value == 9); });
  assert(single().value == 9);
  t.join();
  assert(made == 1);
  return 0;
}
