#include "engine/abstraction/thread_paths.hpp"

#include "base/error.hpp"

namespace weir {

namespace {

bool ends_with_failure(const Witness& witness) {
  const Violation& violation = witness.violation;
  return violation.kind == ViolationKind::kAssertion ||
         (violation.kind == ViolationKind::kMemory && violation.property != kLeak);
}

// Finds the actions again from the instructions.
ThreadPath path_of(ThreadAutomaton& automaton, const std::vector<WitnessStep>& steps) {
  ThreadPath path;
  StateId local = automaton.initial();
  for (std::size_t at = automaton.initial_path().size(); at < steps.size();) {
    const WitnessStep& step = steps[at];
    const auto count = static_cast<std::uint32_t>(automaton.actions(local).size());
    bool found = false;
    for (std::uint32_t i = 0; i < count && !found; ++i) {
      const Action action = automaton.actions(local)[i];
      if (action.edge != step.edge) continue;
      const Value returned = returns_value(action) ? step.value : 0;
      const std::vector<PathStep> instructions = automaton.path(local, i, returned);
      if (action.kind == ActionKind::kInternal && instructions[0].value != step.value) continue;
      path.push_back({i, returned});
      local = automaton.successor(local, i, returned);
      at += instructions.size();
      found = true;
    }
    WEIR_CHECK(found, "a thread does only what its automaton offers");
  }
  return path;
}

}  // namespace

std::vector<ThreadPath> thread_paths(System& system, const Witness& witness) {
  std::vector<std::vector<WitnessStep>> steps(system.thread_count());
  const std::size_t count = witness.steps.size() - (ends_with_failure(witness) ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i)
    if (witness.steps[i].kind == WitnessStep::Kind::kInstruction)
      steps[witness.steps[i].thread.index()].push_back(witness.steps[i]);
  std::vector<ThreadPath> paths;
  for (std::size_t t = 0; t < steps.size(); ++t)
    paths.push_back(path_of(system.view(t).automaton(), steps[t]));
  return paths;
}

}  // namespace weir
