// expect: all safe
// native: 0
// A function that is noexcept may handle its exceptions itself.
#include <cassert>

static int value;

static void tries() noexcept {
  try {
    throw 1;
  } catch (int) {
    value = 1;
  }
}

int main() {
  tries();
  assert(value == 1);
  return 0;
}
