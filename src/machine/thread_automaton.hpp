// One thread of a program as an automaton, unfolded on demand.
//
// A local state is a stack of activations: location and registers of each. Local states are interned to
// 32-bit ids, the actions offered in a state are computed on the first visit, and so is the successor for
// each value an action may return: after warm-up a step is a look-up.
//
// Between two visible actions a thread runs silently. Such local runs happen inside `successor`, so their
// inner states do not exist for the engines. A run stops before an action that touches memory, at a choice,
// and at observed locations. A silent run that returns to a state it has been in is a loop without effect:
// its state offers one internal action that leads back to itself. A silent run that neither repeats nor ends
// is cut after `local_steps` instructions: the state offers nothing and `cut` is true.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/sequence_interner.hpp"
#include "base/value_table.hpp"
#include "machine/action.hpp"
#include "program/liveness.hpp"

namespace weir {

using StateId = Id<struct LocalStateTag>;

struct AutomatonOptions {
  bool every_instruction = false;  // each instruction is an action of its own; nothing is fused
  bool forget_dead_registers = true;
  bool silent_fences = false;  // fences have no effect (sequential consistency) and belong to local runs
  std::vector<LocationId> observed_locations;  // of the outermost function: local runs stop there
  std::vector<RegisterId> observed_registers;  // of the outermost function: never forgotten, and local runs
                                               // stop before each assignment to them
  std::uint64_t local_steps = 1'000'000;

  friend bool operator==(const AutomatonOptions&, const AutomatonOptions&) = default;
};

// One instruction executed on the way from one local state to the next.
struct PathStep {
  EdgeId edge;
  Value value = 0;  // assigned or chosen; for the action itself, the value it returned
};

class ThreadAutomaton {
 public:
  // `program` and `live` must outlive the automaton.
  ThreadAutomaton(const Program& program, const LiveRegisters& live, FunctionId function,
                  std::span<const Value> arguments, AutomatonOptions options);

  StateId initial() const { return initial_; }

  // Valid until the next state is unfolded.
  std::span<const Action> actions(StateId state);
  StateId successor(StateId state, std::uint32_t action, Value returned = 0);

  bool stopped(StateId state) const { return info_[state.index()].flags & kStopped; }
  bool cut(StateId state) const { return info_[state.index()].flags & kCut; }
  // Where the thread is in its outermost function; none if it is inside a call or stopped by returning.
  LocationId location(StateId state) const { return info_[state.index()].location; }
  // Where its innermost activation is; none if it stopped by returning.
  LocationId innermost_location(StateId state) const;
  // A register of the outermost activation.
  Value register_value(StateId state, RegisterId reg) const;

  // The instructions executed before the initial state, and those of one step: the action's own first.
  std::vector<PathStep> initial_path();
  std::vector<PathStep> path(StateId state, std::uint32_t action, Value returned = 0);

  std::size_t state_count() const { return info_.size(); }

 private:
  // A local state in the making. `words` is the encoding: for the outermost activation [location,
  // registers…], for each inner one [edge of the call, location, registers…].
  struct Config {
    std::vector<Value> words;
    std::vector<std::size_t> frames;  // where in `words` the location of each activation stands

    LocationId location() const { return decode(words[frames.back()]); }
    void set_location(LocationId location) { words[frames.back()] = location.index(); }
    Value& reg(RegisterId id) { return words[frames.back() + 1 + id.index()]; }
    static LocationId decode(Value word) {
      return word == kNowhere ? LocationId::none() : LocationId(static_cast<std::size_t>(word));
    }
  };
  enum class RunEnd : std::uint8_t { kReady, kLoops, kCut };

  // Words of an encoding that no location, edge or flag shares.
  static constexpr Value kNowhere = -1, kLoopMark = -2, kCutMark = -3;
  enum Flag : std::uint8_t { kStopped = 1, kLoops = 2, kCut = 4 };
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

  struct Info {
    LocationId location;
    std::uint8_t flags = 0;
    std::uint32_t first_action = kUnknown;
    std::uint32_t action_count = 0;
  };

  Config load(StateId state) const;
  StateId store(Config& config, RunEnd end);
  void forget_dead(Config& config) const;

  RunEnd run(Config& config, std::vector<PathStep>* recorder) const;
  RunEnd step_and_run(Config& config, EdgeId edge, Value value, std::vector<PathStep>* recorder) const;
  void take(Config& config, EdgeId edge, Value value, std::vector<PathStep>* recorder) const;
  void enter(Config& config, EdgeId call) const;
  void leave(Config& config, const Instruction& instruction) const;
  void assign(Config& config, RegisterId reg, Value value) const;
  bool stops_run(const Config& config) const;
  bool changes_observed(const Config& config, const Instruction& instruction) const;
  std::optional<PathStep> only_silent_step(const Config& config) const;
  std::optional<Value> eval(const Config& config, ExprId id) const;

  void unfold(StateId state);
  void offer(const Config& config, EdgeId edge);
  void offer_choices(EdgeId edge);
  Action local_action(const Config& config, EdgeId edge) const;
  Action access_action(const Config& config, EdgeId edge) const;
  void add_action(const Action& action);

  const Program& program_;
  const LiveRegisters& live_;
  FunctionId function_;
  AutomatonOptions options_;
  std::vector<bool> observed_location_;
  std::vector<bool> observed_register_;
  Config start_;
  StateId initial_;

  SequenceInterner<Value> states_;
  std::vector<Info> info_;
  std::vector<Action> actions_;
  std::vector<ValueTable::Slot> slots_;  // per action
  ValueTable successors_;
};

}  // namespace weir
