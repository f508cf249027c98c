// The reference machine: what docs/semantics.md says, once more and as plainly as possible. It shares no code
// with the machine that the engines run, so that a mistake in one shows as a disagreement of the two.
//
// Each edge is a step of its own, and so is each flush; an atomic block is one step that consists of several
// instructions. The program must be well formed and must outlive the machine.
#pragma once

#include <optional>
#include <vector>

#include "check/reference_instruction.hpp"
#include "check/reference_state.hpp"

namespace weir {

struct ReferenceStep {
  std::vector<WitnessStep> steps;    // one; for an atomic block, all its instructions from begin to end
  ReferenceState after;              // if the step fails: the state in which the last instruction failed
  std::optional<Violation> failure;  // an assertion or a memory access failed; the execution ends here
};

class ReferenceMachine {
 public:
  ReferenceMachine(const Program& program, Model model) : program_(program), model_(model) {}

  const Program& program() const { return program_; }
  Model model() const { return model_; }

  ReferenceState initial() const;
  // Every step that is possible in the state.
  std::vector<ReferenceStep> steps(const ReferenceState& state) const;

  // Is the thread in its outermost function at a location without edges, or did it return from there?
  bool stopped(const ReferenceState& state, ThreadId thread) const;
  bool all_stopped(const ReferenceState& state) const;

  // What is wrong with the state itself: goal, forbidden, unsafe. In the order of the program's properties.
  std::vector<Violation> violations(const ReferenceState& state) const;
  std::optional<Violation> violation(const ReferenceState& state) const;  // the first of them
  // No step is possible, and some thread has not stopped. Whether the program asks for it or not.
  bool deadlocked(const ReferenceState& state) const;

  bool goal_reached(const ReferenceState& state) const;
  bool exclusion_broken(const ReferenceState& state, std::size_t list) const;
  bool invariant_broken(const ReferenceState& state, std::size_t invariant) const;

  // In place, for replay.
  Execution execute(ReferenceState& state, ThreadId thread, EdgeId edge, Value chosen, bool in_block) const {
    return weir::execute(program_, model_, state, thread, edge, chosen, in_block);
  }
  // The buffer entries of the thread that may be flushed now.
  std::vector<std::size_t> flushable(const ReferenceState& state, ThreadId thread) const;
  bool lock_allows_flush(const ReferenceState& state, ThreadId thread) const;
  WitnessStep flush(ReferenceState& state, ThreadId thread, std::size_t entry) const;

 private:
  void add_instruction_steps(const ReferenceState& state, ThreadId thread, EdgeId edge,
                             std::vector<ReferenceStep>& found) const;
  void add_block_steps(const ReferenceState& state, ThreadId thread, EdgeId begin,
                       std::vector<ReferenceStep>& found) const;
  void add_flush_steps(const ReferenceState& state, ThreadId thread, std::vector<ReferenceStep>& found) const;
  bool at(const ReferenceState& state, const ThreadLocation& place) const;

  const Program& program_;
  Model model_;
};

// Where the thread is now; none if it stopped by `return`.
LocationId current_location(const ReferenceState& state, ThreadId thread);

}  // namespace weir
