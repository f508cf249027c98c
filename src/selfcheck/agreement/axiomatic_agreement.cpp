// A safe answer must hold in small instances. An unsafe one must have a run with the processes it names, if
// the machine can look at all of them. Both are so whatever the searches share, since the machine shares
// nothing.
//
// Universal guards are weakened by both searches, not always in the same places: they look at the processes
// that a cube names, and the axiomatic cubes, which keep more events, name more. So there an unsafe answer
// may be wrong, and answers may differ.
#include "selfcheck/agreement/axiomatic_agreement.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "check/array/explore.hpp"
#include "engine/array/axiomatic/axiomatic.hpp"
#include "engine/array/weak_use.hpp"
#include "program/array/walk.hpp"

namespace weir::selfcheck {

using namespace weir::array;

namespace {

bool weakened(const Formula& formula, bool positive) {
  if (formula.kind == (positive ? FormulaKind::kForAll : FormulaKind::kExists)) return true;
  const bool below = formula.kind == FormulaKind::kNot ? !positive : positive;
  return std::ranges::any_of(formula.operands,
                             [&](const Formula& operand) { return weakened(operand, below); });
}

bool has_universal_guard(const ArraySystem& system) {
  return std::ranges::any_of(system.transitions,
                             [](const Transition& transition) { return weakened(transition.guard, true); });
}

std::string name(SearchOutcome outcome) { return outcome == SearchOutcome::kSafe ? "safe" : "unsafe"; }

// The schedule-based search does not know that an update of a whole weak array writes the cells of processes
// that its region does not name, and allows more then.
bool updates_whole_weak_array(const ArraySystem& system) {
  const auto whole = [&](const Update& update) {
    return update.everywhere && system.symbol(update.symbol).weak;
  };
  return std::ranges::any_of(system.transitions, [&](const Transition& transition) {
    return std::ranges::any_of(transition.updates, whole);
  });
}

class AxiomaticComparison {
 public:
  AxiomaticComparison(const ArraySystem& system, AxiomaticComparisons& made, const AxiomaticEffort& effort)
      : system_(system),
        vocabulary_(system),
        made_(made),
        effort_(effort),
        weakened_(has_universal_guard(system)) {}

  std::string run() {
    Context context(Limits{.timeout = effort_.search}, {}, false);
    slow_ = search_axiomatic(vocabulary_, context);
    const bool safe = slow_.outcome == SearchOutcome::kSafe;
    if (!safe && slow_.outcome != SearchOutcome::kUnsafe) {
      ++made_.undecided;
      return {};
    }
    ++(safe ? made_.safe : made_.unsafe);
    const std::string wrong = safe ? against_instances() : against_runs();
    return wrong.empty() ? against_fast() : wrong;
  }

 private:
  ArrayLimits limits() const {
    return {.states = effort_.states, .buffered_groups = 3, .domains = {numbers_of(system_), {}}};
  }

  std::string against_instances() {
    for (std::uint32_t processes = least_processes(system_);
         processes <= std::min(3u, system_.number_of_processes.value_or(3u)); ++processes) {
      const ArrayExploration explored = explore(system_, processes, limits());
      if (explored.unsafe())
        return fmt::format("axiomatic: safe; machine with {} processes: unsafe", processes);
      if (processes == 2 && explored.verdict == ArrayVerdict::kExhausted) ++made_.explored;
      if (explored.limit_hit) break;
    }
    return {};
  }

  // Two processes more than the trace names, since cells may have processes for values that nothing else
  // speaks of.
  std::string against_runs() {
    // The unsafe cube may have parameters of which it says nothing.
    const auto parameters =
        static_cast<std::uint32_t>(system_.unsafe.at(slow_.trace.unsafe).parameters.size());
    const std::uint32_t least = std::max({slow_.trace.processes, parameters, least_processes(system_)});
    const std::uint32_t most = std::min(least + 2, system_.number_of_processes.value_or(least + 2));
    for (std::uint32_t processes = least; processes <= most; ++processes) {
      const ArrayExploration explored = explore(system_, processes, limits());
      if (explored.unsafe()) ++made_.confirmed;
      if (explored.verdict != ArrayVerdict::kExhausted) return {};
    }
    if (weakened_ || slow_.approximate) return {};
    return fmt::format("axiomatic: unsafe; machine with {} to {} processes: safe", least, most);
  }

  std::string against_fast() {
    if (shared_ordinary_symbol(system_)) return {};
    Context context(Limits{.timeout = effort_.search}, {}, false);
    const SearchResult fast = search_backward(vocabulary_, {}, context);
    if (fast.outcome != SearchOutcome::kSafe && fast.outcome != SearchOutcome::kUnsafe) return {};
    ++made_.compared;
    if (fast.outcome == slow_.outcome) return {};
    const bool fast_allows_more = fast.outcome == SearchOutcome::kUnsafe && updates_whole_weak_array(system_);
    if (weakened_ || fast_allows_more || fast.approximate || slow_.approximate) {
      ++made_.approximations;
      return {};
    }
    return fmt::format("axiomatic: {}; schedule-based: {}", name(slow_.outcome), name(fast.outcome));
  }

  const ArraySystem& system_;
  const Vocabulary vocabulary_;
  AxiomaticComparisons& made_;
  const AxiomaticEffort& effort_;
  const bool weakened_;
  SearchResult slow_;
};

}  // namespace

ArraySystem axiomatic_system(std::uint64_t seed) {
  ArrayShape shape{.family = ArrayFamily::kWeak, .max_transitions = 4};
  shape.numbers = seed % 3 == 0;
  shape.sums = seed % 6 == 0;
  switch (seed % 4) {
    case 0: shape.universal_guards = shape.disjunctions = shape.cases = false; break;
    case 1: shape.universal_guards = false; break;
    case 2: break;
    default: shape.family = ArrayFamily::kWeakShared; shape.universal_guards = false;
  }
  return random_array_system(seed, shape);
}

std::string axiomatic_disagreement(const ArraySystem& system, AxiomaticComparisons& made,
                                   const AxiomaticEffort& effort) {
  return AxiomaticComparison(system, made, effort).run();
}

}  // namespace weir::selfcheck
