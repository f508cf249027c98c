// expect: sc safe, tso safe
// package: libboost1.81-dev
#include <boost/make_shared.hpp>
#include <boost/shared_ptr.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::shared_ptr<int> first = boost::make_shared<int>(5);
  std::thread other([copy = first]() mutable {
    assert(*copy == 5);
    copy.reset();
  });
  first.reset();
  other.join();
}
