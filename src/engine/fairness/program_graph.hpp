// The state graph of a program: states, who can move in each, and where that leads. Breadth first, so that
// the path of parents is a shortest one.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <span>
#include <vector>

#include "base/context.hpp"
#include "engine/explicit/exploration.hpp"
#include "engine/explicit/monitor.hpp"
#include "engine/explicit/system.hpp"

namespace weir::fairness {

using StateNumber = std::uint32_t;
using Mover = std::uint32_t;  // threads come first

class ProgramGraph {
 public:
  struct Transition {
    Mover mover;
    StateNumber target;
  };

  ProgramGraph(const Program& program, const SystemOptions& options);

  // False if the context asked to stop before all states were found.
  bool build(Context& context);

  System& system() { return system_; }
  std::size_t states() const { return first_.size() - 1; }
  std::size_t transitions() const { return transitions_.size(); }
  std::size_t threads() const { return system_.thread_count(); }
  std::size_t movers() const { return threads() + queues_.size(); }
  bool is_thread(Mover mover) const { return mover < threads(); }

  std::span<const Transition> successors(StateNumber state) const {
    return {transitions_.data() + first_[state], transitions_.data() + first_[state + 1]};
  }
  // Could it move if buffers were longer, or does it move to the end of the execution?
  bool held_back(StateNumber state, Mover mover) const;
  // Nothing can happen, and that is not because of a bound or an end that the program asked for.
  bool ended(StateNumber state) const { return ended_[state]; }
  bool at(StateNumber state, const std::vector<ThreadLocation>& places);

  bool bounded() const { return bounded_; }  // a buffer was full
  bool cut() const { return cut_; }          // a thread's local run was too long to be followed

  // The step that `transition` of `state` stands for.
  StepRecord record(StateNumber state, const Transition& transition);

 private:
  GlobalState global(StateNumber state) const;
  StateNumber number(const GlobalState& state);
  void expand(StateNumber state);
  void note_held_back(StateNumber state, const GlobalState& at);
  Mover mover(std::size_t thread, const Step& step);

  Program observed_;  // with the places as its only property, so that threads stop there
  System system_;
  Monitor monitor_;
  std::size_t width_;
  std::vector<std::uint32_t> rows_;  // components and memory of each state
  absl::flat_hash_map<std::vector<std::uint32_t>, StateNumber> numbers_;
  absl::flat_hash_map<std::pair<std::size_t, std::uint32_t>, Mover> queues_;  // by thread and cell
  std::vector<std::size_t> first_{0};
  std::vector<Transition> transitions_;
  std::vector<std::pair<StateNumber, Mover>> held_back_;  // ascending
  std::vector<bool> ended_;
  bool bounded_ = false, cut_ = false;
};

}  // namespace weir::fairness
