// The steps of a run of an array system in words, with what each writes: run again on the reference machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/array/system.hpp"
#include "trace/array_run.hpp"

namespace weir {

struct ShownWrite {
  std::size_t cell = 0;     // among the cells of the run
  std::string name, value;  // "PC[#1]", "Critical"
  bool buffered = false;    // it waits in the buffer of the process
};

struct ShownStep {
  std::string name;                      // "enter(#1)", or "flush of #1"
  std::optional<std::uint32_t> process;  // who performs it, if the system says so
  std::vector<std::uint32_t> processes;  // that it is about
  std::vector<ShownWrite> writes;
  bool flush = false;  // these writes reach memory
  std::optional<SourcePosition> position;
};

std::vector<ShownStep> shown_steps(const array::ArraySystem& system, const array::ArrayRun& run);

// What the cells hold at first, in the order of their numbers.
std::vector<ShownWrite> initial_cells(const array::ArraySystem& system, const array::ArrayRun& run);

// "PC[#1] := Critical, Turn := #2 (buffered)"
std::string effect_text(const ShownStep& step);

// "#1"
std::string process_name(std::uint32_t process);

// "#1, #3"
std::string processes_text(const std::vector<std::uint32_t>& processes);

}  // namespace weir
