// expect: all safe
// native: 0
// `throw;` throws the same object again: a change that a handler made is seen by the next.
#include <cassert>
#include <exception>

struct Failure {
  int level;
  static int alive;
  explicit Failure(int l) : level(l) { ++alive; }
  Failure(const Failure& other) : level(other.level) { ++alive; }
  ~Failure() { --alive; }
};
int Failure::alive = 0;

static void fail() {
  try {
    throw Failure(1);
  } catch (Failure& failure) {
    failure.level = 2;
    throw;
  }
}

int main() {
  try {
    fail();
  } catch (Failure& failure) {
    assert(failure.level == 2 && Failure::alive == 1);
    try {
      throw;
    } catch (const Failure& again) {
      assert(&again == &failure && Failure::alive == 1);
    }
    assert(Failure::alive == 1);
  }
  assert(Failure::alive == 0);
  assert(std::uncaught_exceptions() == 0);
  return 0;
}
