// Partial deadlocks: a thread that has not stopped can never go on again, although others can, and the
// program never ends. Two threads that wait for each other's mutex while a third polls are one.
//
// That is nothing that a single state shows. So the search notes who leads from which state to which, and at
// the end, backwards: which states can lead to an end (then whoever waits there is no matter: the program is
// over, or it is a deadlock of all, which was seen before); and for the others, which threads may still move.
// Persistent sets do no harm: what a thread can still do from a state, it can do in the reduced graph, too;
// a reduction that favours a thread, and may follow it for ever, would. Of threads that the symmetry
// reduction lets change places, all must be stuck: a thread is not followed through such a change.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/state_table.hpp"
#include "trace/witness.hpp"

namespace weir {

class Exploration;

class StepGraph {
 public:
  using Index = StateTable::Index;

  void note(Index from, Index to, std::size_t thread) {
    if (!wanted_ || from == StateTable::kNoParent) return;
    if (steps_.size() == kMostSteps) return give_up();
    steps_.push_back({from, to, group_[thread]});
  }

  // `group`: for each thread the number of the group in which it may change places, at most 63.
  void want(std::vector<std::uint8_t> group) {
    wanted_ = true;
    group_ = std::move(group);
  }
  bool wanted() const { return wanted_; }  // and not given up, because there are too many steps

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(wanted_, group_, steps_);
  }

  // The first state with a partial deadlock, and what to say.
  std::optional<std::pair<Index, Violation>> partial_deadlock(Exploration& exploration) const;

 private:
  static constexpr std::size_t kMostSteps = 20'000'000;  // 240 MB

  struct Step {
    Index from, to;
    std::uint8_t group;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(from, to, group);
    }
  };

  class Backwards;

  void give_up() {
    wanted_ = false;
    steps_ = {};
  }

  bool wanted_ = false;
  std::vector<std::uint8_t> group_;
  std::vector<Step> steps_;
};

// Can a thread go on for ever? Only then is there anything to look for.
bool has_loop(const Program& program);

}  // namespace weir
