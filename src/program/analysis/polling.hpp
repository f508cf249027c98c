// Loads that wait, written as loops: for languages whose loads do not wait.
//
// A load that waits becomes a load that is repeated as long as it returns the wrong value (inside an atomic
// block: one behind which the block cannot go on). Threads get to the same places with the same memory. What
// is not the same: a thread that waits for ever is not stuck any more but busy, and the loads in vain are
// part of its traces.
#pragma once

#include "program/program.hpp"

namespace weir {

enum class Polled : std::uint8_t {
  kAll,
  kWaiting,  // not those that wait for one certain value (`Instruction::until`)
};

Program with_polling(const Program& program, Polled which = Polled::kAll);

}  // namespace weir
