// expect: all safe
// native: 0
// catch (...) is entered when the thread calls pthread_exit; handlers for types are not. It has to throw again.
#include <cassert>
#include <cxxabi.h>
#include <pthread.h>

static int entered;

static void* work(void*) {
  try {
    try {
      try {
        pthread_exit(nullptr);
      } catch (int) {
        entered = 100;
      }
    } catch (abi::__forced_unwind&) {
      entered += 1;
      throw;
    }
  } catch (...) {
    entered += 10;
    throw;
  }
  return nullptr;
}

int main() {
  pthread_t other;
  pthread_create(&other, nullptr, work, nullptr);
  pthread_join(other, nullptr);
  assert(entered == 11);
  return 0;
}
