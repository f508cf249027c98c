// expect: sc safe, tso unsafe
// package: libboost1.81-dev
// Relaxed accesses of boost::atomic do not order a store before a load.
#include <boost/atomic.hpp>
#include <cassert>
#include <thread>

static boost::atomic<int> wants[2];
static int inside;

static void enter(int me) {
  wants[me].store(1, boost::memory_order_relaxed);
  if (wants[1 - me].load(boost::memory_order_relaxed)) return;
  inside++;
  assert(inside == 1);
  inside--;
}

int main() {
  std::thread other(enter, 1);
  enter(0);
  other.join();
}
