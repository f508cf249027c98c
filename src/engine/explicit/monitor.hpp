// Decides whether a global state violates one of the program's properties. For each component a few flags are
// computed once; in most states they alone show that nothing can be wrong.
#pragma once

#include <vector>

#include "engine/explicit/system.hpp"
#include "trace/witness.hpp"

namespace weir {

class Monitor {
 public:
  explicit Monitor(System& system);

  enum Flag : std::uint8_t {
    kAtGoal = 1,     // at a location that some goal names for its thread
    kExclusive = 2,  // at a location of some exclusive list
    kStopped = 4,
    kCut = 8,     // its local run was cut: what it does next is not known
    kHalts = 16,  // it can end the whole execution
  };
  std::uint8_t flags(std::size_t thread, ComponentId component) {
    const std::uint32_t view = system_.view_number(thread);
    if (component.index() >= flags_[view].size()) compute(thread);
    return flags_[view][component.index()];
  }

  // Can a state be bad just after `thread` moved to `component`? If not, `violation` need not be asked.
  bool suspicious(std::size_t thread, ComponentId component) {
    return watches_all_ || (flags(thread, component) & (kAtGoal | kExclusive)) != 0;
  }
  // Can a step of this thread from one component to another change what the properties see?
  bool visible(std::size_t thread, ComponentId from, ComponentId to);

  // Everything that is wrong with the state; empty in most.
  std::vector<Violation> violations(const GlobalState& state);
  // Is a thread kept from going on by a bound: on its buffer, on its local steps, on the values of variables?
  bool held_back(const GlobalState& state);
  // Can a thread, or this one, end the whole execution?
  bool can_halt(const GlobalState& state);
  bool can_halt(std::size_t thread, ComponentId component, MemoryId memory);
  // For a state in which nothing can happen: a deadlock or a leak.
  std::optional<Violation> at_end(const GlobalState& state);
  // For a state from which only threads of these groups (a set, in `movers`) can ever move, without end: a
  // partial deadlock, if another has not stopped.
  std::optional<Violation> stuck(const GlobalState& state, const std::vector<std::uint8_t>& group,
                                 std::uint64_t movers);
  // The first instruction found that ends the execution because what follows is left out; none if there is
  // none.
  EdgeId gave_up();

  // What a failing step violates.
  Violation failure(std::size_t thread, ComponentId component, MemoryId memory, const Step& step,
                    std::uint32_t outcome);

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(flags_, gave_up_);
  }

 private:
  void compute(std::size_t thread);
  void add_goals(const GlobalState& state, std::vector<Violation>& out);
  bool at_goal(std::size_t goal, std::size_t thread, ComponentId component);
  Violation goal_violation(std::size_t goal, const GlobalState& state);
  LocationId location(std::size_t thread, ComponentId component);
  void add_exclusions(const GlobalState& state, std::vector<Violation>& out);
  void add_broken_invariants(const GlobalState& state, std::vector<Violation>& out);
  void add_races(const GlobalState& state, std::vector<Violation>& out);
  bool refused_by_range(const GlobalState& state);
  struct Access {
    std::size_t thread;
    CellId cell;
    bool writes, plain;
    EdgeId edge;
  };
  void add_accesses(std::size_t thread, const GlobalState& state, std::vector<Access>& out);
  void add_block_accesses(std::size_t thread, const GlobalState& state, std::vector<Access>& out);
  Violation race(const Access& a, const Access& b);
  std::optional<Violation> deadlock(const GlobalState& state);
  std::optional<Violation> leak(const GlobalState& state);
  SourcePosition position(std::size_t thread, ComponentId component);

  System& system_;
  bool has_invariants_;
  bool watches_all_;                                      // can any step make a state bad?
  std::vector<std::vector<std::uint32_t>> goal_threads_;  // per goal: the threads it names
  std::vector<bool> seen_registers_;                      // per thread: does an invariant read its registers?
  std::vector<std::vector<std::uint8_t>> flags_;          // per view, per component
  EdgeId gave_up_;
};

}  // namespace weir
