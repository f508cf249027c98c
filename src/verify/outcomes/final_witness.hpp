// An execution that ends in a state of a given kind.
#pragma once

#include "base/context.hpp"
#include "program/final_states.hpp"
#include "trace/witness.hpp"

namespace weir::verify {

struct FinalWitness {
  bool complete = false;           // the search ended
  std::optional<Witness> witness;  // an execution of the program; replayed
};

// Ends where every thread has stopped, buffers are empty and the condition over the question's places holds.
// Threads must stop by running to a location without edges.
FinalWitness find_final_witness(const Program& program, const FinalQuestion& question,
                                const FinalCondition& condition, Model model, Context& context);

}  // namespace weir::verify
