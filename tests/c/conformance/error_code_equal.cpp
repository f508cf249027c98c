// expect: all safe
// compiler: -std=c++20
// native: 0
// Error codes are compared by what they mean.
#include <cassert>
#include <system_error>
#include <thread>
int main() {
  std::thread none;
  bool known = false;
  try {
    none.join();
  } catch (const std::system_error& error) {
    known = error.code() == std::errc::invalid_argument;
  }
  assert(known);
  return 0;
}
