// The bad configurations of a program, from which the backward search starts: what assertions, goals, mutual
// exclusion and invariants forbid.
#pragma once

#include <string>
#include <vector>

#include "engine/coverability/dual/configuration.hpp"
#include "engine/coverability/multiset/thread_moves.hpp"
#include "program/program.hpp"

namespace weir {

struct DualTarget {
  DualDraft draft;               // thread i has tag i
  std::vector<ThreadId> actors;  // per thread of the draft: which one the property speaks of; none if any
};

struct DualTargets {
  std::vector<DualTarget> targets;
  std::string obstacle;  // a property that cannot be asked this way; empty if there is none
};

// `templates`: of every thread there may be several.
DualTargets dual_targets(const Program& program, const ThreadMoves& moves, bool templates);

}  // namespace weir
