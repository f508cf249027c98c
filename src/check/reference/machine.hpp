// The reference machine: what docs/semantics.md says, once more and as plainly as possible. It shares no code
// with the machine that the engines run, so that a mistake in one shows as a disagreement of the two.
//
// Each edge is a step of its own, and so is each flush; an atomic block is one step that consists of several
// instructions. The program must be well formed and must outlive the machine.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "check/reference/instruction.hpp"
#include "check/reference/state.hpp"

namespace weir {

struct ReferenceStep {
  std::vector<WitnessStep> steps;    // one; for an atomic block, all its instructions from begin to end
  ReferenceState after;              // if the step fails: the state in which the last instruction failed
  std::optional<Violation> failure;  // an assertion or a memory access failed; the execution ends here
  std::optional<std::string> unsupported;  // what happens is not known (see Execution): no step at all
};

class ReferenceMachine {
 public:
  ReferenceMachine(const Program& program, Model model) : program_(program), model_(model) {}

  const Program& program() const { return program_; }
  Model model() const { return model_; }

  ReferenceState initial() const;
  // Every step that is possible in the state.
  std::vector<ReferenceStep> steps(const ReferenceState& state) const;

  // Is the thread in its outermost function at a location without edges, did it return from there or stop, or
  // is it dormant?
  bool stopped(const ReferenceState& state, ThreadId thread) const;
  bool all_stopped(const ReferenceState& state) const;

  // What is wrong with the state itself: goal, forbidden, unsafe, race. In the order of the program's
  // properties, of which only those count that it asks for. Nothing is wrong with a state after `halt`.
  std::vector<Violation> violations(const ReferenceState& state) const;
  std::optional<Violation> violation(const ReferenceState& state) const;  // the first of them
  // What is wrong with a state in which no step is possible: deadlock, leak.
  std::vector<Violation> final_violations(const ReferenceState& state) const;

  // Whether the program asks for it or not: no step is possible, and some thread has not stopped; two threads
  // can make conflicting accesses; no step is possible, all threads have stopped, and a block is left.
  bool deadlocked(const ReferenceState& state) const;
  // Can a thread that has not stopped never go on from here, although the execution never ends, whatever
  // happens? Nothing if too many states follow to say.
  std::optional<bool> stuck_for_good(const ReferenceState& state) const;
  std::optional<Violation> data_race(const ReferenceState& state) const;
  std::optional<Violation> leak(const ReferenceState& state) const;

  // A load, store or read-modify-write of shared memory that a thread can execute now, or that is in an
  // atomic block that it can execute now.
  struct PendingAccess {
    ThreadId thread;
    EdgeId edge;
    Value address = 0;
    Value units = 1;
    bool writes = false;
    bool in_block = false;  // of which it is a part: atomic, whatever the instruction says
  };
  // All pairs of conflicting ones, the thread with the lower number first.
  std::vector<std::pair<PendingAccess, PendingAccess>> data_races(const ReferenceState& state) const;

  bool goal_reached(const ReferenceState& state, std::size_t goal) const;
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
  // Asked before the flush: has somebody else released the memory that the entry goes to?
  std::optional<Violation> late_flush(const ReferenceState& state, ThreadId thread, std::size_t entry) const;

 private:
  void add_instruction_steps(const ReferenceState& state, ThreadId thread, EdgeId edge,
                             std::vector<ReferenceStep>& found) const;
  void add_block_steps(const ReferenceState& state, ThreadId thread, EdgeId begin,
                       std::vector<ReferenceStep>& found) const;
  void add_flush_steps(const ReferenceState& state, ThreadId thread, std::vector<ReferenceStep>& found) const;
  bool at(const ReferenceState& state, const ThreadLocation& place) const;

  std::vector<PendingAccess> pending_accesses(const ReferenceState& state) const;
  bool writes(const WitnessStep& step) const;
  void add_block_accesses(const ReferenceState& state, ThreadId thread, EdgeId begin,
                          std::vector<PendingAccess>& found) const;
  bool conflict(const PendingAccess& one, const PendingAccess& other) const;
  std::optional<Value> block_left_behind(const ReferenceState& state) const;

  const Program& program_;
  Model model_;
};

// Where the thread is now; none if it stopped by `return` or `stop`.
LocationId current_location(const ReferenceState& state, ThreadId thread);

}  // namespace weir
