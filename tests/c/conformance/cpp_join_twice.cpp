// expect: all unsafe assertion
// message: uncaught exception of type std::system_error
// Joining a std::thread twice throws.
#include <thread>

int main() {
  std::thread t([] {});
  t.join();
  t.join();
  return 0;
}
