// One piece of work in several threads that share it among themselves. An exception in any of them is one of
// the caller's: a mistake in Weir must not end the process without a word.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

namespace weir {

// The first exception of several threads.
class FirstError {
 public:
  // Calls `work`; false if it threw.
  template <class Work>
  bool keep(Work&& work) {
    try {
      std::forward<Work>(work)();
      return true;
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
      return false;
    }
  }
  // To be called when no other thread uses this.
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

// Calls work(0) here and work(1), … in threads of their own, and returns when all have. If one throws, `failed`
// is called, so that the others may end early, and the first exception is thrown again.
void side_by_side(std::size_t threads, const std::function<void(std::size_t)>& work,
                  const std::function<void()>& failed = {});

}  // namespace weir
