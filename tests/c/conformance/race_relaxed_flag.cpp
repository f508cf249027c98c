// expect: all unsafe race
// options: --races
// C++: a relaxed flag orders nothing.
#include <atomic>
#include <thread>

static int data;
static std::atomic<bool> ready{false};

int main() {
  int seen = 0;
  std::thread writer([] {
    data = 1;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  if (ready.load(std::memory_order_relaxed)) seen = data;
  writer.join();
  return seen > 1;
}
