// expect: all unsafe assertion
// message: while it is joinable
// A std::thread that is destroyed while it is joinable calls std::terminate.
#include <thread>

int main() {
  std::thread t([] {});
  return 0;
}
