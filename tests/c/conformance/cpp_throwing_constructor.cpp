// expect: all safe
// native: 0
// A constructor that throws: the members made so far are destroyed, and the memory is released.
#include <cassert>

static int alive;

struct Part {
  Part() { ++alive; }
  ~Part() { --alive; }
};

struct Fragile : Part {
  Part member;
  Part several[2];
  explicit Fragile(bool fails) {
    assert(alive == 4);
    if (fails) throw 1;
  }
  ~Fragile() { assert(alive == 4); }
};

int main() {
  int caught = 0;
  try {
    delete new Fragile(false);
    assert(alive == 0);
    delete new Fragile(true);
  } catch (int) {
    ++caught;
  }
  assert(caught == 1 && alive == 0);
  return 0;
}
