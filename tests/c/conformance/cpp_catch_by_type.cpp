// expect: all safe
// native: 0
// A handler is chosen by type: the first that fits, in the nearest function that has one.
#include <cassert>

enum Colour { kRed, kGreen };

static int caught_as(int which) {
  try {
    if (which == 0) throw 1;
    if (which == 1) throw 'c';
    if (which == 2) throw kGreen;
    if (which == 3) throw 2.5;
    if (which == 4) throw 1L;
    return -1;
  } catch (int value) {
    assert(value == 1);
    return 0;
  } catch (const char& letter) {
    assert(letter == 'c');
    return 1;
  } catch (Colour colour) {
    assert(colour == kGreen);
    return 2;
  } catch (double number) {
    assert(number == 2.5);
    return 3;
  } catch (...) {
    return 4;
  }
}

int main() {
  for (int which = 0; which < 5; ++which) assert(caught_as(which) == which);
  assert(caught_as(5) == -1);
  return 0;
}
