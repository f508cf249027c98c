// expect: sc safe, tso safe
// package: libconcurrentqueue-dev
#include <cassert>
#include <concurrentqueue/blockingconcurrentqueue.h>
#include <thread>

moodycamel::LightweightSemaphore ready(0, 1);
int data;

int main() {
  std::thread other([] {
    data = 1;
    ready.signal();
  });
  ready.wait();
  assert(data == 1);
  other.join();
}
