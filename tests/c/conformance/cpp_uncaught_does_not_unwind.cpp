// expect: all unsafe assertion
// message: uncaught exception of type int
// Without a handler, the program is terminated where it throws: destructors do not run, not even one that would end it.
#include <cstdlib>

struct Ends {
  ~Ends() { std::_Exit(0); }
};

static void fail() {
  Ends ends;
  throw 1;
}

int main() {
  fail();
  return 0;
}
