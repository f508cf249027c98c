#include "engine/smc/prologue.hpp"

#include <absl/container/flat_hash_set.h>
#include <algorithm>

#include "base/context.hpp"  // before the names of graphs, which its own would hide
#include "base/fault.hpp"
#include "engine/smc/thread_steps.hpp"

namespace weir {

namespace {

constexpr std::size_t kLongestPrologue = 100'000;  // steps; what follows is in the graphs

}  // namespace

bool ThreadSteps::waits_at_first(std::size_t thread, std::vector<std::uint32_t>* awaited) {
  const StateId state = automata_[thread]->initial();
  const std::span<const Action> actions = automata_[thread]->actions(state);
  if (actions.size() != 1 || actions[0].kind == ActionKind::kLock) return false;
  const auto answer = [&](std::uint32_t, std::uint32_t cell, Value& value) {
    if (cell == kChoiceCell) return false;
    if (awaited != nullptr) awaited->push_back(cell);
    value = initial_value(cell);
    return true;
  };
  return run(thread, state, 0, answer).kind == StepResult::Kind::kBlocked;
}

std::optional<std::size_t> ThreadSteps::first_alone() {
  std::optional<std::size_t> alone;
  for (std::size_t t = 0; t < thread_count(); ++t) {
    if (waits_at_first(t)) continue;
    if (alone) return std::nullopt;
    alone = t;
  }
  return alone;
}

// Executes a step with what memory holds.
bool ThreadSteps::belongs_to_prologue(std::size_t thread, StateId before,
                                      const std::vector<std::uint32_t>& awaited, PrologueStep& step) {
  const std::span<const Action> actions = automata_[thread]->actions(before);
  if (actions.size() != 1) return false;
  step.roles = roles(actions[0]);
  bool releases = false;
  const StepResult result = run(
      thread, before, 0,
      [&](std::uint32_t, std::uint32_t cell, Value& value) {
        if (cell == kChoiceCell) return false;
        step.reads.push_back(value = initial_value(cell));
        return true;
      },
      [&](StateId, std::uint32_t, const Action& action, Value) {
        releases |= action.kind == ActionKind::kFree;
      });
  step.before = before;
  step.after = result.state;
  return result.kind == StepResult::Kind::kEnds && !releases &&
         std::ranges::none_of(written_, [&](const Written& write) {
           return std::ranges::find(awaited, write.cell) != awaited.end();
         });
}

void ThreadSteps::execute_prologue() {
  const std::optional<std::size_t> alone = first_alone();
  if (!alone) return;
  std::vector<std::uint32_t> awaited;
  for (std::size_t t = 0; t < thread_count(); ++t)
    if (t != *alone) waits_at_first(t, &awaited);
  std::size_t known = 0;  // steps up to where the buffer was last seen empty
  prologue_.begin(*alone);
  absl::flat_hash_set<std::uint32_t> since_write;  // states; one that comes back is polled
  bool buffered = false;
  for (StateId state = automata_[*alone]->initial(); prologue_.steps().size() < kLongestPrologue;) {
    PrologueStep step;
    const bool belongs = belongs_to_prologue(*alone, state, awaited, step);
    if (!buffered || (step.roles & kDrains) != 0 || fault("hasty-prologue")) {
      buffered = false;
      known = prologue_.steps().size();
    }
    if (!belongs || !since_write.insert(state.index()).second) break;
    for (const Written& write : written_) step.writes.emplace_back(write.cell, write.value);
    if (!written_.empty()) since_write.clear();
    buffered |= (step.roles & kBuffered) != 0;
    state = step.after;
    prologue_.append(std::move(step));
  }
  prologue_.shorten(known);
}

}  // namespace weir
