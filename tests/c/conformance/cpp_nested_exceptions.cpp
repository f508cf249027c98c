// expect: all safe
// native: 0
// An exception may be thrown and caught while another one is handled, or while destructors run because of it.
#include <cassert>
#include <exception>

static int order;

struct Careful {
  ~Careful() {
    assert(std::uncaught_exceptions() == 1);
    try {
      throw 2;
    } catch (int value) {
      order = order * 10 + value;
    }
    assert(std::uncaught_exceptions() == 1);
  }
};

int main() {
  try {
    Careful careful;
    throw 1;
  } catch (int value) {
    order = order * 10 + value;
    try {
      throw 3L;
    } catch (long inner) {
      order = order * 10 + static_cast<int>(inner);
    }
  }
  assert(order == 213);
  try {
    try {
      throw 4;
    } catch (int) {
      throw 'x';  // ends the handling of 4
    }
  } catch (char letter) {
    assert(letter == 'x');
  }
  assert(std::current_exception() == nullptr);
  return 0;
}
