// A few threads that work through lists together, again and again: they sleep in between, so that a list of
// a fraction of a millisecond is worth it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/threads/side_by_side.hpp"

namespace weir {

class Workers {
 public:
  // `count` in all: the caller is one of them.
  explicit Workers(std::size_t count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Calls `work(i)` for each i below `size`, in no particular order, and returns when all calls have. If some
  // throw, the first exception is thrown again.
  void run(std::size_t size, const std::function<void(std::size_t)>& work);

 private:
  void take_part();

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t size_ = 0;
  std::atomic<std::size_t> next_{0};
  std::size_t round_ = 0;  // of `run`
  std::size_t busy_ = 0;   // workers that have not finished this round
  bool ended_ = false;
  FirstError error_;
  std::vector<std::jthread> threads_;
};

}  // namespace weir
