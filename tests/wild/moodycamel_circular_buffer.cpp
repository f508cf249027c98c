// expect: sc safe, tso safe
// package: libreaderwriterqueue-dev
#include <readerwriterqueue/readerwritercircularbuffer.h>
#include <cassert>
#include <thread>

moodycamel::BlockingReaderWriterCircularBuffer<int> queue(2);

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 2; i++) queue.try_enqueue(i);
  });
  int last = 0;
  for (int tries = 0; tries < 2; tries++) {
    int taken;
    if (!queue.try_dequeue(taken)) continue;
    assert(taken == last + 1);
    last = taken;
  }
  producer.join();
}
