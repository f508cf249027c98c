// A run of an array system with a given number of processes: plain data, which the array engine hands over,
// the reference machine for array systems checks, and reports show.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/array/system.hpp"

namespace weir::array {

// One cell of a variable or array; processes are numbered from 0.
struct ArrayCell {
  SymbolId symbol;
  std::vector<std::uint32_t> arguments;

  friend bool operator==(const ArrayCell&, const ArrayCell&) = default;
};

// The value is a number for numeric sorts; otherwise the number of the process, of the constructor, or of the
// value of an abstract sort, counted from 0.
struct ArrayAssignment {
  ArrayCell cell;
  Rational value;

  friend bool operator==(const ArrayAssignment&, const ArrayAssignment&) = default;
};

// A transition that fires, or the flush of the oldest entry of a buffer.
struct ArrayStep {
  std::optional<std::uint32_t> transition;  // none: a flush
  std::vector<std::uint32_t> processes;     // for the parameters of the transition; flush: whose buffer
  std::vector<ArrayAssignment> chosen;      // what the cells became whose update leaves the value open

  bool is_flush() const { return !transition; }
  friend bool operator==(const ArrayStep&, const ArrayStep&) = default;
};

// What an engine knows of a step that fires a transition: not when buffers were flushed and what was chosen.
struct ArrayFiring {
  std::uint32_t transition = 0;
  std::vector<std::uint32_t> processes;
};

struct ArrayRun {
  std::uint32_t processes = 0;
  std::vector<ArrayAssignment> initial;  // every cell once
  std::vector<ArrayStep> steps;
  std::uint32_t unsafe = 0;                     // the cube of the system that holds at the end …
  std::vector<std::uint32_t> unsafe_processes;  // … for these processes
};

}  // namespace weir::array
