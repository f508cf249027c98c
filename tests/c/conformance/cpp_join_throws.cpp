// expect: all safe
// native: 0
// Joining a thread that is not joinable throws std::system_error, with its code.
#include <cassert>
#include <system_error>
#include <thread>

int main() {
  std::thread none;
  int code = 0;
  try {
    none.join();
  } catch (const std::system_error& error) {
    code = error.code().value();
  }
  assert(code == 22);
  return 0;
}
