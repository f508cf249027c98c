// expect: all safe
// native: 0
// A std::exception_ptr takes an exception to another thread.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

static std::exception_ptr failure;

static void work() {
  try {
    throw std::invalid_argument("bad");
  } catch (...) {
    failure = std::current_exception();
  }
}

int main() {
  std::thread other(work);
  other.join();
  bool caught = false;
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const std::logic_error& error) {
    caught = error.what()[0] == 'b';
  }
  assert(caught);
  failure = nullptr;
  return 0;
}
