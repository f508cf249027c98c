// expect: all safe
// compiler: -std=c++20
// native: 0
// Time passes while a thread sleeps.
#include <chrono>
#include <thread>
#include <iostream>
int main() {
  auto a = std::chrono::steady_clock::now();
  std::this_thread::sleep_until(a + std::chrono::milliseconds(2));
  auto b = std::chrono::system_clock::now();
  std::cout << std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - a).count() << std::endl;
  std::cout << std::this_thread::get_id() << std::endl;
}
