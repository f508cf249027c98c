#include "engine/explicit/final_states.hpp"

namespace weir {

FinalStates search_final_states(const Program& program, const FinalSearchOptions& wanted, Context& context) {
  ExplorationRecord record{.only_finals = true, .whole_finals = wanted.registers};
  ExplicitOptions options;
  options.model = wanted.model;
  options.values = wanted.values;
  options.symmetry = false;                    // which of the threads did something shows in the outcome
  options.live_variables = !wanted.registers;  // what is not read again is still seen
  options.buffer = wanted.buffer;
  options.local_steps = wanted.local_steps;
  options.record = &record;
  FinalStates result;
  result.answer = check_explicit(program, options, context);
  result.stuck = record.stuck;
  result.complete = record.complete && program.restrictions.empty();
  if (wanted.registers)
    for (const ExplorationRecord::Terminal& end : record.final_states)
      result.states.insert({end.registers, end.memory});
  else
    for (const ExplorationRecord::Memory& memory : record.finals) result.states.insert({{}, memory});
  return result;
}

}  // namespace weir
