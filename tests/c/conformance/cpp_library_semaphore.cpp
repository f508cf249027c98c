// expect: all safe
// compiler: -std=c++20
// native: 0
// Semaphores hand over data; trying for a while may fail.
#include <semaphore>
#include <cassert>
#include <thread>
#include <chrono>
std::counting_semaphore<3> free_slots(0);
std::binary_semaphore one(1);
int data;
int main() {
  std::thread t([&] { one.acquire(); data = 1; one.release(); free_slots.release(); });
  free_slots.acquire();
  one.acquire();
  assert(data == 1);
  one.release();
  (void)one.try_acquire_for(std::chrono::milliseconds(1));
  t.join();
}
