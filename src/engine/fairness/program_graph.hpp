// The state graph of a program: states, who can move in each, and where that leads. Breadth first, so that
// the path of parents is a shortest one.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/context.hpp"
#include "engine/explicit/exploration.hpp"
#include "engine/explicit/monitor.hpp"
#include "engine/explicit/system.hpp"

namespace weir::fairness {

using StateNumber = std::uint32_t;
using Mover = std::uint32_t;  // threads come first
// That a store entered its thread's buffer, or left it for memory: twice the number of (thread, cell, value),
// and one more if it left.
using StoreEvent = std::uint32_t;
constexpr StoreEvent kNoEvent = std::numeric_limits<StoreEvent>::max();

class ProgramGraph {
 public:
  struct Transition {
    Mover mover;
    StateNumber target;
    StoreEvent event = kNoEvent;  // known only if buffers are abstract
  };

  ProgramGraph(const Program& program, const SystemOptions& options);

  // False if the context asked to stop, or there are more states, before all states were found.
  bool build(Context& context, std::size_t most_states = std::numeric_limits<StateNumber>::max());

  System& system() { return system_; }
  std::size_t states() const { return first_.size() - 1; }
  std::size_t transitions() const { return transitions_.size(); }
  std::size_t threads() const { return system_.thread_count(); }
  std::size_t movers() const { return threads() + queues_.size(); }
  bool is_thread(Mover mover) const { return mover < threads(); }
  std::size_t stores() const { return stores_.size(); }  // (thread, cell, value) that have events

  std::span<const Transition> successors(StateNumber state) const {
    return {transitions_.data() + first_[state], transitions_.data() + first_[state + 1]};
  }
  // Could it move if buffers were longer, or does it move to the end of the execution?
  bool held_back(StateNumber state, Mover mover) const;
  // Has its thread a buffered store that cannot be flushed now? Of the thread that the events of `store` are
  // about.
  bool stuck(StateNumber state, std::size_t store);
  // Nothing can happen, and that is not because of a bound or an end that the program asked for.
  bool ended(StateNumber state) const { return ended_[state]; }
  bool at(StateNumber state, const std::vector<ThreadLocation>& places);

  bool bounded() const { return bounded_; }  // a buffer was full
  std::string left_out();                    // why there is more than the graph has, if there is

  // The step that `transition` of `state` stands for.
  StepRecord record(StateNumber state, const Transition& transition);

 private:
  GlobalState global(StateNumber state) const;
  StateNumber number(const GlobalState& state);
  void expand(StateNumber state);
  void note_held_back(StateNumber state, const GlobalState& at);
  Mover mover(std::size_t thread, const Step& step);
  StoreEvent event(std::size_t thread, ComponentId before, const Step& step);

  Program observed_;  // with the places as its only property, so that threads stop there
  System system_;
  Monitor monitor_;
  std::size_t width_;
  std::vector<std::uint32_t> rows_;  // components and memory of each state
  absl::flat_hash_map<std::vector<std::uint32_t>, StateNumber> numbers_;
  absl::flat_hash_map<std::pair<std::size_t, std::uint32_t>, Mover> queues_;  // by thread and cell
  bool abstract_;
  absl::flat_hash_map<std::tuple<std::size_t, std::uint32_t, Value>, std::uint32_t> stores_;
  std::vector<std::size_t> storing_threads_;  // of stores_, by number
  std::vector<std::size_t> first_{0};
  std::vector<Transition> transitions_;
  std::vector<std::pair<StateNumber, Mover>> held_back_;  // ascending
  std::vector<bool> ended_;
  bool bounded_ = false, cut_ = false;
};

}  // namespace weir::fairness
