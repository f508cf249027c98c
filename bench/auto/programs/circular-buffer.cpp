// expect: sc safe
// A circular buffer in C++ for several producers and a consumer, which a mutex protects; a counter of its own tells how
// many items are in it without the lock.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <optional>
#include <thread>

#ifndef PRODUCERS
#define PRODUCERS 3
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

template <typename T, unsigned kSize>
class CircularBuffer {
 public:
  bool push(T item) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (count_.load() == kSize) return false;
    items_[(begin_ + count_.load()) % kSize] = item;
    count_.fetch_add(1);
    return true;
  }

  std::optional<T> pop() {
    if (count_.load() == 0) return std::nullopt;
    const std::lock_guard<std::mutex> guard(mutex_);
    if (count_.load() == 0) return std::nullopt;
    const T item = items_[begin_];
    begin_ = (begin_ + 1) % kSize;
    count_.fetch_sub(1);
    return item;
  }

 private:
  std::mutex mutex_;
  std::array<T, kSize> items_{};
  unsigned begin_ = 0;
  std::atomic<unsigned> count_{0};
};

static CircularBuffer<int, 2> buffer;

static void produce(int first) {
  for (int i = 0; i < ITEMS; i++)
    while (!buffer.push(first + i)) {
    }
}

int main() {
  std::array<std::thread, PRODUCERS> producers;
  for (int p = 0; p < PRODUCERS; p++) producers[p] = std::thread(produce, 1 + p * ITEMS);
  int sum = 0;
  for (int taken = 0; taken < PRODUCERS * ITEMS;) {
    const std::optional<int> item = buffer.pop();
    if (!item) continue;
    sum += *item;
    taken++;
  }
  for (std::thread& producer : producers) producer.join();
  assert(sum == PRODUCERS * ITEMS * (PRODUCERS * ITEMS + 1) / 2);
  return 0;
}
