// The states in which a program can end, by visiting all of its states.
#pragma once

#include <set>

#include "engine/explicit/explicit.hpp"
#include "program/final_states.hpp"

namespace weir {

struct FinalStates {
  std::set<FinalState> states;  // where every thread has stopped
  std::uint64_t stuck = 0;      // how often some thread waits for ever instead
  bool complete = false;        // none is missing
  Answer answer;                // of the search; unsafe: an execution ends by a violation
};

struct FinalSearchOptions {
  Model model = Model::kSc;
  bool registers = false;  // otherwise states have none
  std::optional<std::uint32_t> buffer;
  std::uint64_t local_steps = 20'000'000;
  ValueLimits values;
};

FinalStates search_final_states(const Program& program, const FinalSearchOptions& options, Context& context);

}  // namespace weir
