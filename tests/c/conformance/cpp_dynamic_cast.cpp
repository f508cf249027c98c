// expect: all safe
// native: 0
// dynamic_cast goes down, up and across, looks at what the object is, and throws if a reference cannot be converted.
#include <cassert>
#include <typeinfo>

struct First {
  int first = 1;
  virtual ~First() {}
};
struct Second {
  int second = 2;
  virtual ~Second() {}
};
struct Both : First, Second {
  int own = 3;
  Both() {}
};
struct Shared {
  int shared = 4;
  virtual ~Shared() {}
};
struct Left : virtual Shared {};
struct Right : virtual Shared {};
struct Diamond : Left, Right {
  Diamond() {}
};

int main() {
  Both both;
  First* first = &both;
  Second* second = dynamic_cast<Second*>(first);
  assert(second != nullptr && second->second == 2);
  assert(dynamic_cast<Both*>(second) == &both);
  First alone;
  First* other = &alone;
  assert(dynamic_cast<Both*>(other) == nullptr && dynamic_cast<Second*>(other) == nullptr);
  Diamond diamond;
  Shared* shared = &diamond;
  assert(dynamic_cast<Diamond*>(shared) == &diamond);
  assert(dynamic_cast<Right*>(static_cast<Left*>(&diamond)) == static_cast<Right*>(&diamond));
  int caught = 0;
  try {
    dynamic_cast<Both&>(*other).own = 0;
  } catch (const std::bad_cast&) {
    ++caught;
  }
  assert(caught == 1 && typeid(*first) == typeid(Both));
  return 0;
}
