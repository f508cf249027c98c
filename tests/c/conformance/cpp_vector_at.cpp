// expect: all safe
// native: 0
// The containers throw exceptions of the standard library, which derive from each other.
#include <cassert>
#include <functional>
#include <stdexcept>
#include <vector>

int main() {
  std::vector<int> numbers(3, 1);
  int caught = 0;
  try {
    numbers.at(3) = 2;
  } catch (const std::out_of_range&) {
    ++caught;
  }
  try {
    numbers.at(7) = 2;
  } catch (const std::logic_error&) {
    ++caught;
  }
  try {
    numbers.reserve(static_cast<std::size_t>(-1));
  } catch (const std::length_error& error) {
    assert(error.what()[0] == 'v');
    ++caught;
  }
  try {
    std::function<void()>()();
  } catch (const std::exception&) {
    ++caught;
  }
  assert(caught == 4);
  return 0;
}
