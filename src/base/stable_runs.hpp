// Short sequences that stay where they are: added one after the other, never changed, and a view of one is
// good as long as all of them are kept, whatever is added meanwhile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace weir {

template <class T>
class StableRuns {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::span<const T> add(std::span<const T> run) {
    if (run.size() > room_) {
      room_ = std::max(kChunk, run.size());
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(room_));
      next_ = chunks_.back().get();
    }
    T* const begin = next_;
    next_ = std::copy(run.begin(), run.end(), begin);
    room_ -= run.size();
    return {begin, run.size()};
  }

 private:
  static constexpr std::size_t kChunk = 1024;

  std::vector<std::unique_ptr<T[]>> chunks_;
  T* next_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace weir
