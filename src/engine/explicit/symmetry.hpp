// Symmetry of identical threads: states that differ only in which of several interchangeable threads is where
// are one state. The representative has the components of interchangeable threads in ascending order. Sound
// because memory never names a thread and the properties treat these threads alike (see System). What kind of
// buffers the threads have is of no account: a buffer is part of its thread's component.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/explicit/system.hpp"

namespace weir {

class Symmetry {
 public:
  Symmetry(const System& system, bool enabled) {
    if (!enabled) return;
    std::vector<std::vector<std::uint32_t>> by_view(system.view_count());
    for (std::size_t t = 0; t < system.thread_count(); ++t)
      by_view[system.view_number(t)].push_back(static_cast<std::uint32_t>(t));
    for (auto& group : by_view)
      if (group.size() > 1) groups_.push_back(std::move(group));
  }

  bool trivial() const { return groups_.empty(); }

  // `ids`: one component per thread (what follows is left alone).
  void canonicalise(std::uint32_t* ids) {
    for (const auto& group : groups_) {
      scratch_.clear();
      for (const std::uint32_t t : group) scratch_.push_back(ids[t]);
      std::ranges::sort(scratch_);
      for (std::size_t i = 0; i < group.size(); ++i) ids[group[i]] = scratch_[i];
    }
  }

 private:
  std::vector<std::vector<std::uint32_t>> groups_;
  std::vector<std::uint32_t> scratch_;
};

}  // namespace weir
