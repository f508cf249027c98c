// expect: all safe
// native: 0
// Exceptions leave functions that call themselves, and functions called through pointers.
#include <cassert>

static int destroyed;

struct Note {
  ~Note() { ++destroyed; }
};

static int depth(int level) {
  Note note;
  if (level == 0) throw 9;
  return depth(level - 1) + 1;
}

struct Base {
  virtual int run(int level) = 0;
  virtual ~Base() = default;
};
struct Derived : Base {
  int run(int level) override { return depth(level); }
};

int main() {
  int caught = 0;
  try {
    depth(2);
  } catch (int value) {
    caught = value;
  }
  assert(caught == 9 && destroyed == 3);
  Derived derived;
  Base* base = &derived;
  try {
    base->run(1);
  } catch (int value) {
    caught += value;
  }
  assert(caught == 18 && destroyed == 5);
  return 0;
}
