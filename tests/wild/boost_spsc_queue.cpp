// expect: sc safe, tso safe
// package: libboost1.81-dev
// defect: boost/lockfree/spsc_queue.hpp | write_index_.store(next, memory_order_release); | write_index_.store(next, memory_order_relaxed); | pso
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 2; i++) queue.push(i);
  });
  int last = 0;
  for (int tries = 0; tries < 2; tries++) {
    int taken;
    if (!queue.pop(taken)) continue;
    assert(taken == last + 1);
    last = taken;
  }
  producer.join();
}
