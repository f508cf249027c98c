// expect: sc safe, tso safe
// package: libreaderwriterqueue-dev
// What is waited for comes, in order.
#include <cassert>
#include <readerwriterqueue/readerwriterqueue.h>
#include <thread>

int main() {
  moodycamel::BlockingReaderWriterQueue<int> queue(2);
  std::thread producer([&] {
    queue.enqueue(1);
    queue.enqueue(2);
  });
  int first, second;
  queue.wait_dequeue(first);
  queue.wait_dequeue(second);
  assert(first == 1 && second == 2);
  producer.join();
}
