// From a path through visited states to a witness: instruction by instruction, local ones included.
#pragma once

#include "engine/explicit/exploration.hpp"
#include "engine/explicit/searches.hpp"

namespace weir {

class WitnessBuilder {
 public:
  explicit WitnessBuilder(System& system);

  // Runs all threads up to their initial states. Otherwise a thread does that before its first step.
  void start_all();
  void append(const StepRecord& record);
  std::size_t size() const { return witness_.steps.size(); }
  Witness finish(Violation violation);

 private:
  void start(std::size_t thread);  // the local run that precedes its initial state
  void append_path(std::size_t thread, StateId local, std::uint32_t action, Value returned, MemoryId memory);
  void append_local(std::size_t thread, const PathStep& step);
  void append_failing(std::size_t thread, const Action& action);
  void append_flush(const StepRecord& record);

  System& system_;
  Witness witness_;
  std::vector<bool> started_;  // per thread
  std::vector<std::vector<std::pair<Value, EdgeId>>>
      pending_;  // per thread: address and edge of buffered stores
};

// The violation as it is in a state that is symmetric to the one it was found in: threads have other names.
Violation same_violation(Monitor& monitor, const GlobalState& state, const Violation& violation);

// The states from the initial one to `found`, found again step by step.
Witness build_witness(Exploration& exploration, const Found& found, bool cartesian);

}  // namespace weir
