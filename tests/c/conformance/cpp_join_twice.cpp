// expect: all unsafe assertion
// message: not joinable
// Joining a std::thread twice throws.
#include <thread>

int main() {
  std::thread t([] {});
  t.join();
  t.join();
  return 0;
}
