// Candidate executions of a program up to the order of writes: what each thread does, and which write each
// read reads from.
//
// In an execution that SC, TSO or PSO allows, program order and reads-from together have no cycle: from a
// read to a later write of its thread, each of them keeps the order. So every such execution can be built by
// letting threads run up to their next read, which then reads from a write that exists already or is put off
// until there are more. A read that was put off does not come back to the writes it has refused, so no
// candidate is built twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "program/program.hpp"

namespace weir {

// One access to shared memory.
struct CandidateEvent {
  static constexpr std::size_t kInitial = SIZE_MAX;

  std::size_t thread = 0;
  Value address = 0;
  bool reads = false, writes = false;
  Value written = 0;
  std::size_t source = kInitial;  // reads: the event it reads from
  // How often the buffer was drained, and how many barriers between stores there were, before it takes
  // effect.
  std::uint32_t drains = 0, barriers = 0;
};

struct Candidate {
  std::vector<CandidateEvent> events;         // of each thread in program order
  std::vector<std::vector<Value>> registers;  // per thread, at the end
};

struct CandidateLimits {
  std::uint64_t steps = 0;
  std::uint32_t local_steps = 0;
  std::size_t events = 0;         // of one candidate
  std::function<bool()> stopped;  // may be empty
};

// Calls `visit` for each candidate in which every thread stops. Returns why some are missing; nothing if none
// is.
std::optional<std::string> for_each_candidate(const Program& program, const CandidateLimits& limits,
                                              const std::function<void(const Candidate&)>& visit);

}  // namespace weir
