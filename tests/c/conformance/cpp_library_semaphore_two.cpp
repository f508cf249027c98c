// expect: all unsafe assertion
// compiler: -std=c++20
// A semaphore that lets two threads in is no mutex.
#include <cassert>
#include <semaphore>
#include <thread>
std::counting_semaphore<2> entry(2);
int inside;
void work() {
  entry.acquire();
  inside = inside + 1;
  inside = inside - 1;
  entry.release();
}
int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(inside == 0);
}
