// A program with multisets for store buffers as a well-structured system [Calin16, Appendix B]: its minimal
// predecessors, for the backward search. Threads are the closed automata of `ValueClosure`.
//
// Appendix B gives the predecessors in a sketch. What follows is derived from Figure 3.8.
//
// A store is undone by taking one copy out; what had been added last before is not known then. A load either
// finds the buffer without the cell, or tells which value was added last. A flush of u to a cell leaves
//  - nothing for the cell: u was the last, and what else there was had to be flushed before it. So all
//    multisets in which u was added last are predecessors, by several steps: one flush alone is not monotone,
//    a sequence of them is;
//  - something, with the last w known: one more copy of u was there, and w was the last before, too;
//  - something, with the last not known: if one more copy of u is asked for anyway, there are two, and one of
//    them can go. Otherwise u itself may have been the last only if there was a second copy; else some other
//    w was, and stays.
//
// Atomic blocks are steps of their own, but while a thread is inside its block nobody else moves. Its buffer
// is empty then. A thread of which nothing is said is outside.
//
// A configuration has about one predecessor for each step into its local states, and for each thread and cell
// that it stores to; no useful bound on the number of configurations is known.
#pragma once

#include <optional>
#include <vector>

#include "engine/coverability/multiset/configuration.hpp"
#include "engine/coverability/subsumption_index.hpp"
#include "machine/value_closure.hpp"

namespace weir {

// A step of a thread; what it needs and what it does.
struct MultisetTransition {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  enum class Lock : std::uint8_t { kUnchanged, kTaken, kGiven };

  StateId from, to;  // `to` is none if the step fails
  std::uint32_t action = 0;
  Value returned = 0;
  bool drained = false;     // needs an empty buffer
  bool needs_lock = false;  // that nobody else holds the lock
  Lock lock = Lock::kUnchanged;
  std::uint32_t cell = kNone;    // that is accessed
  ValueNumber found = kNone;     // what is read there: in the own buffer, or in memory
  ValueNumber buffered = kNone;  // what enters the buffer
  ValueNumber written = kNone;   // what goes to memory at once
};

class MultisetSystem {
 public:
  using Configuration = MultisetConfiguration;
  // A step of a thread, or a flush from its buffer.
  struct Label {
    std::uint32_t thread = 0;
    bool flush = false;
    std::uint32_t action = 0;
    Value returned = 0;
  };

  // Why this program cannot be handled; nothing if it can.
  static std::optional<std::string> obstacle(const Program& program, const ValueClosure& closure);
  // `closure` must be closed and, like the program, outlive the system.
  MultisetSystem(const Program& program, const ValueClosure& closure);

  int key(const Configuration&) const { return 0; }
  Signature signature(const Configuration& c) const;
  bool covers(const Configuration& a, const Configuration& b) const;
  bool initial(const Configuration& c) const;
  std::uint64_t weight(const Configuration& c) const;
  template <class Sink>
  void predecessors(const Configuration& c, const Sink& sink) {
    found_.clear();
    if (expansions_ < most_expansions_) {
      ++expansions_;
      collect(c);
    } else {
      given_up_ = true;
    }
    for (Predecessor& p : found_) sink(std::move(p.configuration), p.label);
  }

  // After so many expansions none is made any more, and the search comes to an end without a proof.
  void limit_expansions(std::uint64_t most) { most_expansions_ = most; }
  bool given_up() const { return given_up_; }

  // Everything that violates the program's properties: goal, exclusive lists, invariants and failing
  // instructions. Nothing if that would be more than `most`.
  std::optional<std::vector<Configuration>> targets(std::size_t most) const;

  // Nothing said.
  Configuration anything() const;
  std::size_t thread_count() const { return code_of_.size(); }
  ThreadAutomaton& automaton(std::size_t thread) const { return *codes_[code_of_[thread]].automaton; }
  const std::vector<MultisetTransition>& transitions(std::size_t thread) const {
    return codes_[code_of_[thread]].transitions;
  }
  bool inside_block(std::size_t thread, std::uint32_t state) const {
    return codes_[code_of_[thread]].inside[state];
  }
  std::size_t state_count(std::size_t thread) const { return codes_[code_of_[thread]].inside.size(); }

  std::size_t cell_count() const { return cells_.size(); }
  Value address(std::size_t cell) const { return cells_[cell].address; }
  const std::vector<Value>& values(std::size_t cell) const { return cells_[cell].values; }
  // What an address holds that no thread accesses.
  Value untouched(Value address) const { return closure_.values(address)[0]; }
  // Where the configurations say what the thread has buffered for the cell; kNoSlot if it never has anything.
  static constexpr std::uint32_t kNoSlot = 0xFFFFFFFF;
  std::uint32_t slot(std::size_t thread, std::size_t cell) const { return slot_of_[thread][cell]; }
  std::size_t slot_count() const { return slots_.size(); }

 private:
  struct Cell {
    Value address = 0;
    Type type = kInt64;
    std::vector<Value> values;  // ascending
    ValueNumber initial = 0;
  };
  struct CodeSteps {
    ThreadAutomaton* automaton = nullptr;
    std::vector<bool> inside;  // per state: in an atomic block
    std::vector<MultisetTransition> transitions;
    std::vector<std::vector<std::uint32_t>> into;  // per state: transitions that lead to it
    // Transitions that bring about what is not about the thread's own state, and those that leave a block.
    std::vector<std::uint32_t> telling;
  };
  struct Slot {
    std::uint32_t thread, cell;
  };
  struct Predecessor {
    Configuration configuration;
    Label label;
  };

  void look_at_cells(const Program& program, const ValueClosure& closure);
  void unfold(CodeSteps& code);
  void mark_blocks(CodeSteps& code) const;
  void add_transitions(CodeSteps& code, StateId state, std::uint32_t index);
  void add_access(CodeSteps& code, const Action& action, MultisetTransition transition);
  void index_transitions(CodeSteps& code) const;
  void add_slots();
  std::uint32_t cell_of(Value address) const;
  ValueNumber number_of(std::uint32_t cell, Value value) const;

  void collect(const Configuration& c);
  void collect_steps(const Configuration& c, std::uint32_t thread);
  void collect_flushes(const Configuration& c, std::uint32_t slot);
  void undo_flush(const Configuration& after, std::uint32_t slot, ValueNumber value);
  void undo(const Configuration& c, std::uint32_t thread, const MultisetTransition& step,
            std::vector<Configuration>& before) const;
  bool undo_effects(Configuration& c, std::uint32_t thread, const MultisetTransition& step) const;
  bool require(Configuration& c, std::uint32_t thread, const MultisetTransition& step) const;
  bool drain(Configuration& c, std::uint32_t thread) const;
  void require_found(const Configuration& c, std::uint32_t thread, const MultisetTransition& step,
                     std::vector<Configuration>& before) const;
  bool matters(const Configuration& c, std::uint32_t thread, const MultisetTransition& step) const;

  friend class MultisetTargets;

  const Program& program_;
  const ValueClosure& closure_;
  bool uses_lock_ = false;
  std::vector<Cell> cells_;
  std::vector<CodeSteps> codes_;
  std::vector<std::size_t> code_of_;  // per thread
  std::vector<Slot> slots_;
  std::vector<std::vector<std::uint32_t>> slot_of_;  // per thread and cell

  std::vector<Predecessor> found_;
  std::uint64_t expansions_ = 0;
  std::uint64_t most_expansions_ = ~std::uint64_t{0};
  bool given_up_ = false;
};

}  // namespace weir
