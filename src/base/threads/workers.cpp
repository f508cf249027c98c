#include "base/threads/workers.hpp"

namespace weir {

Workers::Workers(std::size_t count) {
  for (std::size_t i = 1; i < count; ++i)
    threads_.emplace_back([this] {
      std::size_t seen = 0;
      while (true) {
        {
          std::unique_lock lock(mutex_);
          begin_.wait(lock, [&] { return ended_ || round_ != seen; });
          if (ended_) return;
          seen = round_;
        }
        take_part();
        const std::scoped_lock lock(mutex_);
        if (--busy_ == 0) end_.notify_one();
      }
    });
}

Workers::~Workers() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  begin_.notify_all();
}

void Workers::run(std::size_t size, const std::function<void(std::size_t)>& work) {
  {
    const std::scoped_lock lock(mutex_);
    work_ = &work;
    size_ = size;
    next_ = 0;
    busy_ = threads_.size();
    ++round_;
  }
  begin_.notify_all();
  take_part();
  std::unique_lock lock(mutex_);
  end_.wait(lock, [&] { return busy_ == 0; });
  error_.rethrow();
}

void Workers::take_part() {
  for (std::size_t i = next_++; i < size_; i = next_++) error_.keep([&] { (*work_)(i); });
}

}  // namespace weir
