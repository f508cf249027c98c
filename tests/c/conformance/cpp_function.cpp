// expect: all safe
// native: 0
// std::function keeps a lambda in bytes that it also sees as pointers.
#include <cassert>
#include <functional>

int main() {
  int sum = 6;
  std::function<int(int)> add = [sum](int n) { return n + sum; };
  assert(add(4) == 10);
  return 0;
}
