// expect: all safe
// native: 0
// A static variable whose initialisation throws is initialised when control comes there next.
#include <cassert>

static int attempts;

static int initial() {
  if (++attempts == 1) throw 1;
  return 5;
}

static int get() {
  static int value = initial();
  return value;
}

int main() {
  int caught = 0;
  try {
    get();
  } catch (int) {
    ++caught;
  }
  assert(get() == 5 && get() == 5 && caught == 1 && attempts == 2);
  return 0;
}
