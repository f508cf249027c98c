// expect: all safe
// options: --failing-malloc
// native: 0
// Without memory, operator new throws std::bad_alloc; the nothrow form gives a null pointer.
#include <cassert>
#include <new>

int main() {
  int* number = nullptr;
  try {
    number = new int(5);
  } catch (const std::bad_alloc& error) {
    assert(number == nullptr && error.what()[5] == 'b');
  }
  assert(number == nullptr || *number == 5);
  delete number;
  int* other = new (std::nothrow) int(6);
  if (other) delete other;
  return 0;
}
