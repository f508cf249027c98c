// Reachability under TSO (and SC), exactly, with buffers of any length: for the threads of a program, or for
// any number of copies of each [Abdulla16].
//
// Values are closed first, so that threads are finite automata; then the backward search decides. No bound,
// and no answer but safe or unsafe as long as time and memory suffice.
#pragma once

#include <string>

#include "base/checkpoint.hpp"
#include "base/context.hpp"
#include "engine/answer.hpp"
#include "program/model.hpp"
#include "program/value_limits.hpp"

namespace weir {

struct DualOptions {
  Model model = Model::kTso;  // or kSc
  bool any_number = false;    // every thread is a template
  std::uint64_t local_steps = 20'000'000;
  ValueLimits values;
  std::size_t jobs = 1;
  bool textbook = false;             // one step at a time; see dual_tso.hpp
  Checkpoint* checkpoint = nullptr;  // see BackwardOptions
};

struct DualAnswer {
  Answer answer;
  // Unsafe with any number of threads: an instance in which the violation happens. The witness is about it.
  Program instance;
};

// What keeps it from finding that the program is safe; empty if nothing is known to before it starts.
std::string dual_obstacle(const Program& program);

DualAnswer check_dual(const Program& program, const DualOptions& options, Context& context);

}  // namespace weir
