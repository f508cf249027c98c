// expect: all safe
// native: 0
// A handler for a base class gets that part of the object, wherever it lies: multiple and virtual bases.
#include <cassert>

struct First {
  int first = 1;
  virtual ~First() = default;
};
struct Second {
  int second = 2;
  virtual int which() const { return 2; }
  virtual ~Second() = default;
};
struct Both : First, Second {
  int own;
  Both() : own(3) {}
  int which() const override { return 3; }
};
struct Shared {
  int shared = 4;
};
struct Left : virtual Shared {
  int left = 5;
};
struct Right : virtual Shared {
  int right = 6;
};
struct Diamond : Left, Right {
  Diamond() {}
};
struct Hidden : private First {
  Hidden() {}
};

int main() {
  try {
    throw Both();
  } catch (const Second& part) {
    assert(part.second == 2 && part.which() == 3);
  }
  try {
    throw Both();
  } catch (First part) {
    assert(part.first == 1);
  }
  try {
    throw Diamond();
  } catch (Shared& part) {
    assert(part.shared == 4);
  }
  try {
    throw Diamond();
  } catch (Right& part) {
    assert(part.right == 6 && part.shared == 4);
  }
  int passed = 0;
  try {
    throw Hidden();
  } catch (First&) {
    assert(!"a private base is not caught");
  } catch (Hidden&) {
    ++passed;
  }
  assert(passed == 1);
  return 0;
}
