// The data races of one execution, by the happens-before relation of C and C++ [C++20, 6.9.2.2]: two accesses
// of one cell by different threads, one of them a write and one of them not atomic, neither of which happens
// before the other.
//
// What orders the accesses of different threads is only this: an atomic read that acquires reads what an
// atomic write has released, or what read-modify-writes have made of that. A fence can acquire for the atomic
// reads before it, and release for the atomic writes behind it. Accesses in an atomic block are atomic,
// acquire and release: that is how the runtime of C locks, creates and joins. The global lock orders who
// holds it. A relaxed access orders nothing, whatever the machine does.
//
// One pass over the execution with a vector clock for each thread [Mattern89; for atomics as here:
// Lidbury17]. Of each thread only the latest access of a kind is kept for a cell: if that happens before
// another access, all earlier do.
#pragma once

#include <optional>

#include "trace/witness.hpp"

namespace weir {

struct DataRace {
  std::size_t first = 0, second = 0;  // steps of the witness
};

// The first one to be complete; `witness` must be an execution of `program`.
std::optional<DataRace> find_data_race(const Program& program, const Witness& witness);

// Is there an atomic access that does not order what is around it? If there is none, a program has a data
// race if and only if two accesses of that kind can both be the next step of their threads.
bool has_unordered_atomics(const Program& program);

// What it violates: `race` is of the execution, which ends with the step (or its atomic block) that completes
// it.
Violation violation_of(const Program& program, const Witness& witness, const DataRace& race);

}  // namespace weir
