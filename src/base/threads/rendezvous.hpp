// Threads that now and then all stop at once, so that one of them can look at what all have done.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>

#include "base/threads/side_by_side.hpp"

namespace weir {

class Rendezvous {
 public:
  // `look` is called while all members wait.
  Rendezvous(std::size_t members, std::function<void()> look) : members_(members), look_(std::move(look)) {}
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;

  // Returns when all others have come or left, and `look` has been called.
  void meet() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    if (all_are_here()) return look_and_go_on();
    const std::size_t now = meetings_;
    go_on_.wait(lock, [&] { return meetings_ != now; });
  }

  // Nobody waits for this member any more.
  void leave() {
    const std::scoped_lock lock(mutex_);
    --members_;
    if (waiting_ > 0 && all_are_here()) look_and_go_on();
  }

 private:
  bool all_are_here() const { return waiting_ == members_; }

  // If looking fails, that is this member's problem, and the others go on.
  void look_and_go_on() {
    FirstError error;
    error.keep(look_);
    waiting_ = 0;
    ++meetings_;
    go_on_.notify_all();
    error.rethrow();
  }

  std::mutex mutex_;
  std::condition_variable go_on_;
  std::size_t members_, waiting_ = 0, meetings_ = 0;
  std::function<void()> look_;
};

}  // namespace weir
