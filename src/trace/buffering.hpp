// Which stores of a witness went through a buffer, and which flush took each of them to memory. Freeing a
// block counts as a store, to its status cell. Known from the witness and the rules of docs/semantics.md
// alone, without executing anything.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "trace/witness.hpp"

namespace weir {

inline constexpr std::size_t kNoStep = std::numeric_limits<std::size_t>::max();

struct Buffering {
  std::vector<bool> buffered;        // per step: a store (or free) that enters the thread's buffer
  std::vector<bool> in_atomic;       // per step: inside an atomic block, its begin and end included
  std::vector<std::size_t> partner;  // buffered store: its flush; flush: its store; otherwise kNoStep
};

// The address of the cell that an instruction of a witness puts into its thread's buffer, if it does.
std::optional<Value> buffered_cell(const Program& program, const WitnessStep& step, Model model,
                                   bool in_atomic);

Buffering find_buffering(const Program& program, const Witness& witness);

}  // namespace weir
