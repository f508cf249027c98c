// Preemptions, counted on the reference machine: what the search with bounded preemptions is compared with.
//
// Every instruction is a step. A thread runs until another one executes an instruction, or until it cannot go
// on: it has no instruction to execute, not even with its buffer emptied, or it would execute instructions
// for ever without changing anything. Taking over from a thread that runs is a preemption. Flushes are none,
// whoever runs.
#pragma once

#include <optional>
#include <string>

#include "check/reference/machine.hpp"

namespace weir::selfcheck {

struct LeastPreemptions {
  bool complete = true;                 // the program was small enough
  std::optional<std::uint64_t> needed;  // by a schedule that violates something; none if no schedule does
};

LeastPreemptions least_preemptions(const Program& program, Model model, std::size_t most_nodes = 20'000);

// Of a witness that replays.
std::uint64_t preemptions_in(const Program& program, const Witness& witness);

// Bounded preemptions and random schedules against the above and against the explicit engine. Empty if all
// agree or the program is too large. `*found`, if given, is what brute force found.
std::string schedule_disagreement(const Program& program, Model model, LeastPreemptions* found = nullptr,
                                  std::size_t most_nodes = 20'000);

}  // namespace weir::selfcheck
