// From a path through visited states to a witness: instruction by instruction, local ones included.
#pragma once

#include "engine/explicit/exploration.hpp"
#include "engine/explicit/searches.hpp"

namespace weir {

class WitnessBuilder {
 public:
  // Starts with the local runs that precede the initial state.
  explicit WitnessBuilder(System& system);

  void append(const StepRecord& record);
  Witness finish(Violation violation);

 private:
  void append_path(std::size_t thread, StateId local, std::uint32_t action, Value returned, MemoryId memory);
  void append_flush(const StepRecord& record);

  System& system_;
  Witness witness_;
  std::vector<std::vector<std::pair<Value, EdgeId>>> pending_;  // per thread: address and edge of buffered stores
};

// The states from the initial one to `found`, found again step by step.
Witness build_witness(Exploration& exploration, const Found& found, bool cartesian);

}  // namespace weir
