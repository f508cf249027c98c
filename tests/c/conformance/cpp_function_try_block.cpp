// expect: all safe
// native: 0
// The handlers of a function try block: of a constructor they end by throwing again, of a function they return.
#include <cassert>

struct Member {
  explicit Member(int value) {
    if (value < 0) throw value;
  }
};

static int seen;

struct Owner {
  Member member;
  explicit Owner(int value) try : member(value) { seen = 1; } catch (int error) {
    seen = error;
  }
};

static int guarded(int value) try {
  Owner owner(value);
  return 0;
} catch (...) {
  return 1;
}

int main() {
  assert(guarded(1) == 0 && seen == 1);
  assert(guarded(-5) == 1 && seen == -5);
  return 0;
}
