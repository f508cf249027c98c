// expect: all safe
// native: 0
// Pointers are caught with their qualifiers, as pointers to a base class, as void*; a null pointer stays one.
#include <cassert>
#include <cstddef>

struct First {
  int first = 1;
};
struct Second {
  int second = 2;
};
struct Both : First, Second {};

static Both both;
static int number = 7;

int main() {
  try {
    throw &both;
  } catch (Second* part) {
    assert(part->second == 2);
  }
  try {
    throw static_cast<Both*>(nullptr);
  } catch (Second* part) {
    assert(part == nullptr);
  }
  try {
    throw &number;
  } catch (char* other) {
    assert(!"another type");
  } catch (const int* pointer) {
    assert(*pointer == 7);
  }
  try {
    throw const_cast<const int*>(&number);
  } catch (int* pointer) {
    assert(!"it points to a constant");
  } catch (const void* pointer) {
    assert(pointer == &number);
  }
  try {
    throw nullptr;
  } catch (int* pointer) {
    assert(pointer == nullptr);
  }
  try {
    throw &number;
  } catch (int*& pointer) {
    assert(*pointer == 7);
    pointer = nullptr;
  }
  return 0;
}
