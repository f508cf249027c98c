// expect: all unsafe memory
// A variable of a function that an exception has left is gone, also for another thread that has its address.
#include <atomic>
#include <thread>

static std::atomic<int*> shared;

static void publish() {
  int local = 1;
  shared = &local;
  throw 1;
}

int main() {
  std::thread reader([] {
    while (shared.load() == nullptr) {
    }
    int* pointer = shared;
    *pointer = 2;
  });
  try {
    publish();
  } catch (int) {
  }
  reader.join();
  return 0;
}
