// expect: sc safe, tso safe
// package: libboost1.81-dev
// defect: boost/smart_ptr/intrusive_ref_counter.hpp | return static_cast< unsigned int >(--counter); | return static_cast< unsigned int >(--counter) / 2; | sc
// An object with its count in itself is destroyed once, by who lets go of it last.
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <cassert>
#include <thread>

struct object : boost::intrusive_ref_counter<object> {
  int value = 1;
};

int main() {
  boost::intrusive_ptr<object> mine(new object);
  std::thread other([theirs = mine]() mutable {
    assert(theirs->value == 1);
    theirs.reset();
  });
  assert(mine->value == 1);
  mine.reset();
  other.join();
}
