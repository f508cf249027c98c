// expect: sc safe, tso safe
// package: libtbb-dev
#include <cassert>
#include <tbb/queuing_mutex.h>
#include <thread>

tbb::queuing_mutex word;
int counter;

void add_one() {
  tbb::queuing_mutex::scoped_lock guard(word);
  counter++;
}

int main() {
  std::thread first(add_one), second(add_one);
  first.join();
  second.join();
  assert(counter == 2);
}
