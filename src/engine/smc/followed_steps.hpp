// The steps that are being followed, and their signals: has another thread come to a write of something that
// the step reads? See mutation_exploration.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weir {

class FollowedSteps {
 public:
  std::size_t size() const { return steps_.size(); }

  // The last of them is the one that is followed now. `signal`: it does not matter what comes.
  void push(std::size_t thread, bool signal) { steps_.push_back({thread, signal, false, cells_.size()}); }

  // True if it has had a signal.
  bool pop() {
    const Step last = steps_.back();
    steps_.pop_back();
    cells_.resize(last.first_cell);
    return last.signal;
  }

  // What the last step has just read; `writes`: and it has written.
  template <class Accesses>
  void set_last(const Accesses& reads, bool writes) {
    cells_.resize(steps_.back().first_cell);
    for (const auto& each : reads) cells_.push_back(each.cell);
    steps_.back().writes = writes;
  }

  // The thread writes to the cell, or would in another order.
  void note_write(std::size_t thread, std::uint32_t cell) { signal(thread, cell, false); }
  // The thread comes to a read-modify-write of the cell.
  void note_update(std::size_t thread, std::uint32_t cell) { signal(thread, cell, true); }

  bool all_have_signals() const { return std::ranges::all_of(steps_, &Step::signal); }

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(steps_, cells_);
  }

 private:
  struct Step {
    std::size_t thread;
    bool signal;             // somebody may let it read something newer
    bool writes;             // something, with the values it reads now
    std::size_t first_cell;  // of those that it reads, in `cells_`

    template <class Archive>
    void transfer(Archive& archive) {
      archive(thread, signal, writes, first_cell);
    }
  };

  void signal(std::size_t thread, std::uint32_t cell, bool only_writers) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      Step& step = steps_[i];
      if (step.signal || step.thread == thread || (only_writers && !step.writes)) continue;
      step.signal = reads(i, cell);
    }
  }

  bool reads(std::size_t step, std::uint32_t cell) const {
    const std::size_t end = step + 1 < steps_.size() ? steps_[step + 1].first_cell : cells_.size();
    for (std::size_t i = steps_[step].first_cell; i < end; ++i)
      if (cells_[i] == cell) return true;
    return false;
  }

  std::vector<Step> steps_;
  std::vector<std::uint32_t> cells_;
};

}  // namespace weir
