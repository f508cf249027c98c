// VerifySC: is there an SC execution in which every read reads one of its good-writes? [Toman21, Algorithm
// 4.1]
#pragma once

#include "engine/consistency/sc_layout.hpp"
#include "engine/consistency/search.hpp"

namespace weir::consistency {

// The state and the memory of the search.
class VerifySc {
 public:
  // `plain`: the algorithm as it stands, without the short cuts of Section 4.2.2.
  Outcome run(const ScLayout& layout, bool plain, Scratch& scratch, Budget& budget);
  std::span<const Step> witness() const { return trail_; }

 private:
  void start();
  bool extend(Frame& frame);
  void settle();
  bool remember();
  bool in_order(Index event) const;
  bool good_source(Index event) const;
  bool executable(Index event) const;
  bool needs_no_choice(Index event) const;
  Index next_event(Index thread) const;
  bool executed(Index event) const { return position_[layout_->thread[event]] > layout_->position(event); }
  void execute(Index event);
  void take_back();
  void shorten(std::size_t length) {
    while (trail_.size() > length) take_back();
  }

  const ScLayout* layout_ = nullptr;
  Scratch* scratch_ = nullptr;
  bool plain_ = false;
  std::vector<Index> position_;  // per thread
  std::vector<Index> active_;    // per variable: the write in memory
  std::vector<Index> wanted_;    // per write: reads still to come for which it is good
  std::vector<Index> missing_;   // per read: good-writes still to come
  std::vector<Index> holders_;   // per variable: reads still to come that miss none
  std::vector<Step> trail_;
  std::vector<Index> replaced_;  // the writes that steps of the trail have overwritten
};

}  // namespace weir::consistency
