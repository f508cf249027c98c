// Random small array systems, and how to make a failing one smaller.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "program/array/system.hpp"

namespace weir::selfcheck {

enum class ArrayFamily : std::uint8_t {
  kOrdinary,    // nothing is weak
  kWeak,        // ordinary symbols are registers: arrays of which a transition uses the performer's cell only
  kWeakShared,  // ordinary symbols may be shared, too
};

// What generated systems are made of. Locations, literals and assignments are always in.
struct ArrayShape {
  ArrayFamily family = ArrayFamily::kOrdinary;
  std::uint32_t max_transitions = 6;
  bool numbers = false;             // counters with small steps
  bool sums = false;                // linear arithmetic on the counters, and open ones; needs `numbers`
  bool process_values = true;       // variables and arrays whose values are processes
  bool constant_processes = false;  // #1
  bool disjunctions = true;         // and negations
  bool universal_guards = true;     // forall_other
  bool existential_guards = true;   // exists_other
  bool cases = true;                // in updates, of one cell and of a whole array
  bool open_values = true;          // X := ?
  bool open_initial_values = true;  // init does not mention a symbol
  bool fences = true;               // fence()
  bool read_modify_writes = true;   // transitions that read and write weak cells
  bool several_weak_writes = true;  // of one transition
  bool several_weak_reads = true;   // of one transition
  bool views = true;                // unsafe cubes tell what processes see in weak cells
  bool loops = true;                // with weak writes in a loop, buffers grow without bound
};

// The same well-formed system for the same seed, on every platform.
array::ArraySystem random_array_system(std::uint64_t seed, const ArrayShape& shape = {});

// Well-formed systems that are one small step simpler, the boldest first: without a transition, a symbol, a
// cube, a literal, an update, a case. Following them always ends.
std::vector<array::ArraySystem> simplifications(const array::ArraySystem& system);

// A system that fails while none of its simplifications does. `system` must fail.
array::ArraySystem shrink_failing(array::ArraySystem system,
                                  const std::function<bool(const array::ArraySystem&)>& fails);

}  // namespace weir::selfcheck
