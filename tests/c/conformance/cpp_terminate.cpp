// expect: all unsafe assertion
// message: terminate
// A std::thread that is destroyed while it is joinable calls std::terminate.
#include <thread>

int main() {
  std::thread t([] {});
  return 0;
}
