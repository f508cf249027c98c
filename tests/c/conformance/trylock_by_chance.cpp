// expect: all unsafe assertion
// std::mutex::try_lock may fail although nobody holds the mutex.
#include <cassert>
#include <mutex>

static std::mutex mutex;

int main() {
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  assert(lock.owns_lock());
}
