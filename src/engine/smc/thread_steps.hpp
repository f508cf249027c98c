// What the threads of a program do, step by step, for engines that build execution graphs.
//
// A step is one action of a thread, or a whole atomic block, or all from a lock to its unlock. It is executed
// as far as its reads have been answered: `run` says what it needs next, or that it is at its end and what it
// has written.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/smc/execution_graph.hpp"
#include "engine/smc/prologue.hpp"
#include "engine/smc/step_outcomes.hpp"
#include "machine/evaluate.hpp"
#include "machine/thread_automaton.hpp"
#include "memory/shared_memory.hpp"
#include "program/address.hpp"
#include "program/program.hpp"

namespace weir {

class ThreadSteps {
 public:
  using Written = WrittenCell;

  ThreadSteps(const Program& program, Model model, std::uint64_t local_steps);

  Model model() const { return model_; }

  const Program& program() const { return code_.program(); }
  std::size_t thread_count() const { return automata_.size(); }
  ThreadAutomaton& automaton(std::size_t thread) { return *automata_[thread]; }
  SharedMemory& memory() { return memory_; }

  // Where executions begin: where the thread is then, and what memory holds.
  StateId initial_state(std::size_t thread) const {
    return prologue_.is_of(thread) ? prologue_.end() : automata_[thread]->initial();
  }
  Value initial_value(std::uint32_t cell) {
    if (const Value* left = prologue_.value(cell)) return *left;
    return memory_.read(memory_.initial(), CellId(cell));
  }
  const Prologue& prologue() const { return prologue_; }
  // The one thread that does not wait for others at first; none if there are several, or none.
  std::optional<std::size_t> first_alone();
  // To be called at most once, before anything else is executed.
  void execute_prologue();

  // How the step that starts with this action is ordered, and the cell that it writes if that is all it does.
  std::uint8_t roles(const Action& action) const;
  std::uint32_t written_cell(std::size_t thread, StateId state, std::uint32_t index);
  // Can what it reads keep the step from being executed?
  static bool may_wait(const Action& action) {
    return action.waits || action.kind == ActionKind::kAtomicBegin || action.kind == ActionKind::kUnlock;
  }

  // One of the actions that a thread has in a state.
  struct Offer {
    std::uint32_t actions = 0;  // that it has; a halt that is all it can do is none
    ActionKind kind = ActionKind::kInternal;
    bool may_wait = false;
    std::uint8_t roles = 0;
  };
  Offer offer(std::size_t thread, StateId state, std::uint32_t action) {
    if (action > 0) return make_offer(thread, state, action);
    std::vector<std::optional<Offer>>& known = offers_[thread];
    if (state.index() >= known.size()) known.resize(state.index() + 1);
    std::optional<Offer>& found = known[state.index()];
    if (!found) found = make_offer(thread, state, 0);
    return *found;
  }

  // Runs the step that starts with `action` of `before`. `answer(i, cell, value)` gives the value of the i-th
  // thing it asks for, or the number of the action it chooses, and returns false if that is not known yet.
  // `observe(state, index, action, returned)` is called for each action that is executed, and for one that
  // fails.
  template <class Answer, class Observe>
  StepResult run(std::size_t thread, StateId before, std::uint32_t action, Answer&& answer,
                 Observe&& observe);
  template <class Answer>
  StepResult run(std::size_t thread, StateId before, std::uint32_t action, Answer&& answer) {
    return run(thread, before, action, answer, [](StateId, std::uint32_t, const Action&, Value) {});
  }

  // The same by look-up, answer by answer.
  OutcomeId begin_step(std::size_t thread, StateId before, std::uint32_t action) {
    return outcomes_.first(thread, before, action, [this](StepOutcomes::Node& node) { execute(node); });
  }
  OutcomeId go_on(OutcomeId step, Value answer) {
    return outcomes_.after(step, answer, [this](StepOutcomes::Node& node) { execute(node); });
  }
  const StepOutcome& outcome(OutcomeId step) const { return outcomes_[step]; }

  // Can steps be executed with values that they never read? In programs that allocate or use the global lock
  // that could leave traces: in `mixed_sizes` and `stuck_in_section`.
  bool can_imagine() const;

  // The halt that a thread has come to and that is all it can do there; null if there is none. It is no step.
  // In a choice it is.
  const Action* halt_at(std::size_t thread, StateId state) {
    const std::span<const Action> actions = automata_[thread]->actions(state);
    return actions.size() == 1 && actions[0].kind == ActionKind::kHalt ? actions.data() : nullptr;
  }
  // Does the halt only mean that an assumption does not hold?
  bool is_unassumed(EdgeId halt) const { return code_.program().edge(halt).instruction.waits; }
  bool is_cut(EdgeId halt) const { return leaves_out(code_.program().edge(halt).instruction); }
  NodeStatus status_of_halt(EdgeId halt) const {
    return is_unassumed(halt) ? NodeStatus::kUnassumed
           : is_cut(halt)     ? NodeStatus::kCut
                              : NodeStatus::kHalted;
  }

  // What the last run has written, each cell once.
  const std::vector<Written>& written() const { return written_; }
  // Did it leave anything in memory that was not there when it looked?
  bool changes_memory() const;
  // The status cells of the blocks it has accessed.
  const std::vector<std::uint32_t>& accessed_blocks() const { return blocks_; }
  // Has any run not come from a lock to its unlock? That holds up all threads, which no step can show.
  bool stuck_in_section() const { return stuck_in_section_; }
  // Did a thread choose, among several actions, an unlock without a lock? It would not have been offered.
  bool stuck_by_choice() const { return stuck_by_choice_; }

  // See base/archive.hpp. All that was unfolded, with its numbers.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(memory_);
    for (const auto& automaton : automata_) archive(*automaton);
    archive(stuck_in_section_, stuck_by_choice_);
    if constexpr (Archive::kReads) {
      cells_.assign(automata_.size(), {});
      outcomes_ = StepOutcomes(automata_.size());
      offers_.assign(automata_.size(), {});
    }
  }

 private:
  struct Seen {
    std::uint32_t cell = 0;
    Value value = 0;
  };

  static constexpr std::uint32_t kLongestSection = 10'000;  // actions; one that goes on for ever is stuck

  // The cell of a load, store or read-modify-write.
  std::uint32_t cell_of(std::size_t thread, StateId state, std::uint32_t index, const Action& action) {
    if (index > 0) return memory_.cell(action.address, action.type).index();
    std::vector<std::uint32_t>& known = cells_[thread];
    if (state.index() >= known.size()) known.resize(state.index() + 1, kNone);
    std::uint32_t& cell = known[state.index()];
    if (cell == kNone) cell = memory_.cell(action.address, action.type).index();
    return cell;
  }

  template <class Answer>
  bool value_in_step(std::uint32_t cell, Value& value, Answer& answer);
  Offer make_offer(std::size_t thread, StateId state, std::uint32_t action);
  void execute(StepOutcomes::Node& step);
  void note_written(std::uint32_t cell, Value value);
  void note_block(const Action& action);
  // Does the thread wait at first? `awaited`: the cells that it does with, if set.
  bool waits_at_first(std::size_t thread, std::vector<std::uint32_t>* awaited = nullptr);
  bool belongs_to_prologue(std::size_t thread, StateId before, const std::vector<std::uint32_t>& awaited,
                           PrologueStep& step);

  Model model_;
  Code code_;
  SharedMemory memory_;
  std::vector<std::unique_ptr<ThreadAutomaton>> automata_;
  std::vector<std::vector<std::uint32_t>> cells_;  // of the first actions, by thread and state
  std::vector<Written> written_;
  std::vector<Seen> seen_;
  std::vector<std::uint32_t> blocks_;
  Prologue prologue_;
  StepOutcomes outcomes_;
  std::vector<std::vector<std::optional<Offer>>> offers_;  // of the first actions, by thread and state
  std::uint32_t asked_ = 0;
  bool stuck_in_section_ = false;
  bool stuck_by_choice_ = false;
};

// What the step has written itself, or has read before, or else an answer.
template <class Answer>
bool ThreadSteps::value_in_step(std::uint32_t cell, Value& value, Answer& answer) {
  for (Written& own : written_)
    if (own.cell == cell) return own.read_back = true, value = own.value, true;
  for (const Seen& known : seen_)
    if (known.cell == cell) return value = known.value, true;
  if (!answer(asked_, cell, value)) return false;
  ++asked_;
  seen_.push_back({cell, value});
  return true;
}

template <class Answer, class Observe>
StepResult ThreadSteps::run(std::size_t thread, StateId before, std::uint32_t first, Answer&& answer,
                            Observe&& observe) {
  using Kind = StepResult::Kind;
  ThreadAutomaton& automaton = *automata_[thread];
  written_.clear();
  seen_.clear();
  blocks_.clear();
  asked_ = 0;
  StateId state = before;
  std::uint32_t index = first;
  bool in_block = false, in_section = false;
  for (std::uint32_t executed = 0;; ++executed) {
    const Action action = automaton.actions(state)[index];
    Value returned = 0;
    const auto fails = [&](FailureKind kind) {
      observe(state, index, action, returned);
      stuck_in_section_ |= in_section;
      return StepResult{.kind = Kind::kFails, .failure = kind, .edge = action.edge};
    };
    const auto blocked = [&] {
      stuck_in_section_ |= in_section;
      return StepResult{.kind = Kind::kBlocked};
    };
    note_block(action);
    switch (action.kind) {
      case ActionKind::kFail: return fails(action.failure);
      case ActionKind::kHalt:
        stuck_in_section_ |= in_section;
        return {.kind = Kind::kHalts, .edge = action.edge};
      case ActionKind::kAtomicBegin: in_block = true; break;
      case ActionKind::kAtomicEnd: in_block = false; break;
      case ActionKind::kLock:
      case ActionKind::kUnlock:
        if (in_section == (action.kind == ActionKind::kLock)) {
          stuck_by_choice_ |= !in_section && automaton.actions(state).size() > 1;
          return blocked();
        }
        in_section = !in_section;
        break;
      case ActionKind::kStore: note_written(cell_of(thread, state, index, action), action.value); break;
      case ActionKind::kFree:
        note_written(memory_.cell(status_address(action.address)).index(), action.value);
        break;
      case ActionKind::kLoad:
      case ActionKind::kRmw: {
        const CellId cell(cell_of(thread, state, index, action));
        Value held = 0;
        if (!value_in_step(cell.index(), held, answer)) return {.kind = Kind::kReads, .cell = cell.index()};
        if (held == kUninitialised && !action.copies) return fails(FailureKind::kNotInitialised);
        returned = returned_value(action, held);
        if (action.waits && returned == action.expected) return blocked();
        if (action.kind == ActionKind::kLoad) break;
        if (action.rmw == RmwOp::kCompareExchange && held != action.expected) break;
        const Value left = apply_rmw(action.rmw, held, action.value, memory_.type(cell));
        if (left == kUninitialised) return fails(FailureKind::kMark);
        note_written(cell.index(), left);
        break;
      }
      default: break;
    }
    observe(state, index, action, returned);
    state = automaton.successor(state, index, returned);
    if (!in_block && !in_section) return {.kind = Kind::kEnds, .state = state};
    const auto count = static_cast<std::uint32_t>(automaton.actions(state).size());
    if (count == 0 || (in_section && executed == kLongestSection)) return blocked();
    index = 0;
    if (count > 1) {
      Value chosen = 0;
      if (!answer(asked_, kChoiceCell, chosen)) return {.kind = Kind::kChooses, .choices = count};
      ++asked_;
      index = static_cast<std::uint32_t>(chosen);
    }
  }
}

}  // namespace weir
