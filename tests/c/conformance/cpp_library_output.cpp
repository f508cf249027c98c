// expect: all safe
// compiler: -std=c++20
// native: 0
// Output is read and dropped.
#include <iostream>
#include <thread>
#include <atomic>
std::atomic<int> x;
int main() {
  std::thread t([] { x = 1; std::cout << "hi " << 3 << std::endl; });
  t.join();
  std::cout << x << '\n' << std::hex << 1.5 << std::string("abc") << std::flush;
  std::cerr << "done\n";
}
