// expect: sc safe, tso safe
// package: libboost1.81-dev
// One thread replaces an object that another one uses.
#include <boost/smart_ptr/atomic_shared_ptr.hpp>
#include <boost/smart_ptr/make_shared.hpp>
#include <cassert>
#include <thread>

static boost::atomic_shared_ptr<int> current;

int main() {
  current.store(boost::make_shared<int>(1));
  std::thread other([] { current.store(boost::make_shared<int>(2)); });
  const boost::shared_ptr<int> mine = current.load();
  assert(*mine == 1 || *mine == 2);
  other.join();
  assert(*current.load() == 2);
}
