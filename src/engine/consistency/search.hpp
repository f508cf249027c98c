// What the searches for a witness have in common: the memory they work in, their limits, and how they end.
#pragma once

#include "base/context.hpp"
#include "engine/consistency/layout.hpp"
#include "engine/consistency/prefix.hpp"
#include "engine/consistency/prefix_table.hpp"

namespace weir::consistency {

enum class Outcome : std::uint8_t { kConsistent, kInconsistent, kUnknown };

// How far a search may go, and whether somebody wants it to end.
class Budget {
 public:
  Budget(Context* context, std::uint64_t prefixes) : context_(context), left_(prefixes) {}

  // One more prefix; false if the search has to stop.
  bool spend() {
    if (left_ == 0) return false;
    --left_;
    return ++count_ % kPoll != 0 || context_ == nullptr || poll();
  }
  std::uint64_t spent() const { return count_; }

 private:
  static constexpr std::uint64_t kPoll = 1024;

  bool poll() {
    if (context_->progress_due()) context_->report_progress({.phase = "consistency", .states = count_});
    return !context_->stopped();
  }

  Context* context_;
  std::uint64_t left_;
  std::uint64_t count_ = 0;
};

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

// A prefix on the path from the empty one to the current one: its length without what is its own, and which
// way to go next.
struct Frame {
  std::size_t length;
  Index next;
};

// Memory that lives from one instance to the next.
struct Scratch {
  Prefix prefix;
  PrefixTable done;
  Packing packing;
  std::vector<Frame> frames;
  std::vector<Index> numbers;
};

// Depth-first search from the prefix at hand: `complete()`: is it an execution? `extend(frame)`: go on to a
// prefix that is new and push its frame, or say that there is none. `shorten(length)`: take steps back.
template <class Complete, class Extend, class Shorten>
Outcome depth_first(Scratch& scratch, Budget& budget, Complete&& complete, Extend&& extend,
                    Shorten&& shorten) {
  scratch.frames.clear();
  scratch.frames.push_back({0, 0});
  while (!scratch.frames.empty()) {
    if (complete()) return Outcome::kConsistent;
    if (!budget.spend()) return Outcome::kUnknown;
    if (extend(scratch.frames.back())) continue;
    shorten(scratch.frames.back().length);
    scratch.frames.pop_back();
  }
  return Outcome::kInconsistent;
}

// The same on `scratch.prefix`.
template <class Extend>
Outcome depth_first(Scratch& scratch, Budget& budget, Extend&& extend) {
  return depth_first(
      scratch, budget, [&] { return scratch.prefix.complete(); }, extend,
      [&](std::size_t length) { scratch.prefix.shorten(length); });
}

}  // namespace weir::consistency
