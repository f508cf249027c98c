// What a program does before its first thread is created: while all threads but one wait, that one has no choice
// and nobody sees it. So it is executed once, and what it leaves in memory is what executions begin with. Programs
// in C that set up arrays and mutexes in `main` do most of what they do there, and every graph would have it.
//
// What would not be seen in the initial values of memory ends the prologue and stays in the graphs: a choice, a
// failure, the release of a block (who comes later must know of it), and a write to what another thread waits
// for. A store that may still be in a buffer does, too: the prologue ends where the buffer is empty.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "machine/thread_automaton.hpp"

namespace weir {

struct PrologueStep {
  StateId before, after;
  std::uint32_t roles = 0;                              // see execution_graph.hpp
  std::vector<Value> reads;                             // in the order in which the step asks for them
  std::vector<std::pair<std::uint32_t, Value>> writes;  // cells and values
};

class Prologue {
 public:
  bool is_of(std::size_t thread) const { return !steps_.empty() && thread == thread_; }
  std::size_t thread() const { return thread_; }
  const std::vector<PrologueStep>& steps() const { return steps_; }
  StateId end() const { return steps_.back().after; }

  // What it leaves in the cell; null if nothing.
  const Value* value(std::uint32_t cell) const {
    return cell < written_.size() && written_[cell] ? &values_[cell] : nullptr;
  }

  void begin(std::size_t thread) { thread_ = thread; }
  void append(PrologueStep step) {
    note_written(step);
    steps_.push_back(std::move(step));
  }
  // Forgets what follows the first `count` steps.
  void shorten(std::size_t count) {
    steps_.resize(count);
    written_.assign(written_.size(), false);
    for (const PrologueStep& step : steps_) note_written(step);
  }

 private:
  void note_written(const PrologueStep& step) {
    for (const auto& [cell, value] : step.writes) {
      if (cell >= values_.size()) {
        values_.resize(cell + 1);
        written_.resize(cell + 1);
      }
      values_[cell] = value;
      written_[cell] = true;
    }
  }

  std::size_t thread_ = 0;
  std::vector<PrologueStep> steps_;
  std::vector<Value> values_;
  std::vector<bool> written_;
};

}  // namespace weir
