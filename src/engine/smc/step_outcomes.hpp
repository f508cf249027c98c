// What a step of a thread comes to with the values that it reads: executed once for each combination, and
// looked up after that. A step is a small tree: it asks for a cell, or for which action it takes; each answer leads on
// to the next question, or to its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "engine/failure.hpp"
#include "machine/thread_automaton.hpp"

namespace weir {

struct StepResult {
  enum class Kind : std::uint8_t {
    kReads,    // needs the value of `cell`
    kChooses,  // needs to know which of `choices` actions
    kEnds,     // in `state`
    kBlocked,  // with what it has read, it cannot go on
    kFails,
    kHalts,  // ends the execution of all threads, or cannot be followed
  };

  Kind kind = Kind::kEnds;
  std::uint32_t cell = 0;
  std::uint32_t choices = 0;
  StateId state;
  FailureKind failure = FailureKind::kAssertion;
  EdgeId edge;  // of the action that fails or halts
};

struct WrittenCell {
  std::uint32_t cell = 0;
  Value value = 0;
  bool read_back = false;  // by the step itself
};

struct StepOutcome {
  StepResult result;
  bool changes_memory = false;        // see ThreadSteps
  std::vector<WrittenCell> written;   // each cell once
  std::vector<std::uint32_t> blocks;  // the status cells of the blocks it has accessed

  bool asks() const {
    return result.kind == StepResult::Kind::kReads || result.kind == StepResult::Kind::kChooses;
  }
  bool writes(std::uint32_t cell) const {
    for (const WrittenCell& write : written)
      if (write.cell == cell) return true;
    return false;
  }
};

using OutcomeId = std::uint32_t;

class StepOutcomes {
 public:
  static constexpr OutcomeId kUnknown = 0xFFFFFFFF;

  explicit StepOutcomes(std::size_t threads) : first_(threads) {}

  const StepOutcome& operator[](OutcomeId id) const { return nodes_[id].outcome; }

  // Of a step of which nothing is answered; what is not known yet is `execute(answers)`.
  template <class Execute>
  OutcomeId first(std::size_t thread, StateId before, std::uint32_t action, Execute&& execute) {
    std::vector<std::vector<OutcomeId>>& by_state = first_[thread];
    if (before.index() >= by_state.size()) by_state.resize(before.index() + 1);
    std::vector<OutcomeId>& known = by_state[before.index()];
    if (action >= known.size()) known.resize(action + 1, kUnknown);
    if (known[action] == kUnknown)
      known[action] = add({.thread = thread, .before = before, .action = action}, execute);
    return known[action];
  }

  // Of the same step with one more answer.
  template <class Execute>
  OutcomeId after(OutcomeId id, Value answer, Execute&& execute) {
    const auto found = std::ranges::lower_bound(nodes_[id].next, answer, {}, &Answer::first);
    if (found != nodes_[id].next.end() && found->first == answer) return found->second;
    const auto place = found - nodes_[id].next.begin();
    Node node = {.thread = nodes_[id].thread,
                 .before = nodes_[id].before,
                 .action = nodes_[id].action,
                 .answers = nodes_[id].answers};
    node.answers.push_back(answer);
    const OutcomeId next = add(std::move(node), execute);
    nodes_[id].next.insert(nodes_[id].next.begin() + place, {answer, next});
    return next;
  }

  using Answer = std::pair<Value, OutcomeId>;

  struct Node {
    std::size_t thread = 0;
    StateId before;
    std::uint32_t action = 0;
    std::vector<Value> answers = {};
    StepOutcome outcome = {};
    std::vector<Answer> next = {};  // by value
  };

 private:
  template <class Execute>
  OutcomeId add(Node node, Execute&& execute) {
    execute(node);
    nodes_.push_back(std::move(node));
    return static_cast<OutcomeId>(nodes_.size() - 1);
  }

  std::vector<std::vector<std::vector<OutcomeId>>> first_;  // by thread, state and action
  std::deque<Node> nodes_;                                  // what was found stays where it is
};

}  // namespace weir
