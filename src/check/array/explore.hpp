// Every reachable state of an array system with a few processes, breadth first on the reference machine: what
// tests and self-checks compare the array engine with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "check/array/machine.hpp"
#include "trace/array_run.hpp"

namespace weir::array {

struct ArrayLimits {
  std::size_t states = 200'000;
  std::size_t buffered_groups = 4;  // per process; states with more are not visited
  ArrayDomains domains;
};

enum class ArrayVerdict : std::uint8_t {
  kUnsafe,     // there is a run
  kExhausted,  // no unsafe state can be reached
  kBounded,    // none was met, but something was left out
};

struct ArrayExploration {
  ArrayVerdict verdict = ArrayVerdict::kExhausted;
  std::optional<ArrayRun> run;  // kUnsafe: with as few steps as possible
  std::size_t states = 0;       // visited
  bool restricted = false;      // numbers or abstract values took some values only
  bool does_not_fit = false;    // some number did not fit in 64 bits
  bool limit_hit = false;       // states or buffers

  bool unsafe() const { return verdict == ArrayVerdict::kUnsafe; }
};

ArrayExploration explore(const ArraySystem& system, std::uint32_t processes, const ArrayLimits& limits = {});

}  // namespace weir::array
