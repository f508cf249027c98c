// expect: all safe
// native: 0
// What was made since the try block began is destroyed, the last one first, in all functions that are left.
#include <cassert>

static int order;

struct Trace {
  int number;
  explicit Trace(int n) : number(n) {}
  ~Trace() { order = order * 10 + number; }
};

static void inner(bool fails) {
  Trace third(3);
  if (fails) throw 0;
  Trace fourth(4);
}

static void outer() {
  Trace second(2);
  inner(false);
  { Trace gone(5); }
  inner(true);
  Trace never(9);
}

int main() {
  Trace* kept = nullptr;
  try {
    Trace first(1);
    kept = new Trace(6);
    outer();
  } catch (int) {
    order = order * 10 + 7;
  }
  assert(order == 4353217);
  delete kept;
  return 0;
}
