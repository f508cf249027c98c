// expect: sc safe, tso safe
// package: libboost1.81-dev
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

boost::lockfree::stack<int, boost::lockfree::capacity<2>> stack;

int main() {
  std::thread other([] { stack.push(1); });
  stack.push(2);
  other.join();
  int first, second;
  assert(stack.pop(first) && stack.pop(second));
  assert(first + second == 3 && first != second);
}
