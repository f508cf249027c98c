// expect: all unsafe assertion
// message: uncaught exception of type char
// The handlers around a recursive function are for another type.
#include <cstdlib>

struct Ends {
  ~Ends() { std::_Exit(0); }
};

static int depth(int level) {
  Ends ends;
  if (level == 0) throw 'x';
  return depth(level - 1) + 1;
}

int main() {
  try {
    depth(1);
  } catch (int) {
  }
  return 0;
}
