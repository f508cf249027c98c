// Every reachable state of a small program, breadth first on the reference machine: what tests and
// self-checks compare the engines with.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

#include "check/reference/machine.hpp"

namespace weir {

struct ExplorationLimits {
  std::size_t states = 1'000'000;
  std::size_t buffered_stores = 16;  // per thread; states with more are not visited
};

// Which property is violated, without the words.
struct ViolationKey {
  ViolationKind kind = ViolationKind::kAssertion;
  std::uint32_t property = 0;  // kGoal, kForbidden, kUnsafe: which; kMemory: kLeak or 0

  friend auto operator<=>(const ViolationKey&, const ViolationKey&) = default;
};

ViolationKey key_of(const Violation& violation);

struct ReferenceExploration {
  bool complete = true;  // no limit was hit, and no access mixed sizes within a block
  std::size_t state_count = 0;
  std::size_t transition_count = 0;   // failing steps included
  std::set<ReferenceState> states;    // only if collected
  std::set<ReferenceState> terminal;  // where no step is possible
  std::set<MemoryChanges> memories;   // what shared memory can hold
  std::set<ViolationKey> violations;  // those that the program asks for
};

enum class CollectStates : bool { kNo, kYes };

ReferenceExploration explore_all(const Program& program, Model model, const ExplorationLimits& limits = {},
                                 CollectStates collect = CollectStates::kNo);

// A witness with as few steps as possible (an atomic block or a flush counts as one) to the given violation,
// or to any. Nothing if there is none within the limits.
std::optional<Witness> shortest_witness(const Program& program, Model model,
                                        std::optional<ViolationKey> wanted = std::nullopt,
                                        const ExplorationLimits& limits = {});

}  // namespace weir
