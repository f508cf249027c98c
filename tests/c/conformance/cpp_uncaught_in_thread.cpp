// expect: all unsafe assertion
// message: uncaught exception of type Failure
// An exception does not leave the function of a thread; a handler in the thread that joins is none for it.
#include <thread>

struct Failure {};

static int ready;

int main() {
  try {
    std::thread other([] { throw Failure(); });
    other.join();
  } catch (const Failure&) {
    ready = 1;
  }
  return 0;
}
