// expect: all safe
// compiler: -std=c++20
// native: 0
// Two increments through atomic_ref are not lost.
#include <atomic>
#include <cassert>
#include <thread>
int counter;
int main() {
  auto work = [] { std::atomic_ref<int>(counter)++; };
  std::thread a(work), b(work);
  a.join(); b.join();
  assert(counter == 2);
}
