// One thread of a program as an automaton, unfolded on demand.
//
// A local state is a stack of activations: location, registers and private memory of each. Local states are
// interned to 32-bit ids, the actions offered in a state are computed on the first visit, and so is the
// successor for each value an action may return: after warm-up a step is a look-up.
//
// Between two visible actions a thread runs silently. Such local runs happen inside `successor`, so their
// inner states do not exist for the engines. A run stops before an action that touches shared memory, at a
// choice, and at observed locations. A silent run that returns to a state it has been in is a loop without
// effect: its state offers one internal action that leads back to itself. A silent run that neither repeats
// nor ends is cut after `local_steps` instructions, and one that calls deeper than addresses can tell before
// that: the state offers nothing and `cut` is true.
#pragma once

#include <absl/container/flat_hash_set.h>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/sequence_interner.hpp"
#include "base/value_table.hpp"
#include "machine/action.hpp"
#include "machine/code.hpp"
#include "machine/private_memory.hpp"

namespace weir {

using StateId = Id<struct LocalStateTag>;

struct AutomatonOptions {
  bool every_instruction = false;  // each instruction is an action of its own; nothing is fused
  bool forget_dead_registers = true;
  bool several_cells =
      false;  // accesses to objects may touch a part of a cell, or several; otherwise they end all
  bool silent_fences = false;  // fences have no effect (sequential consistency) and belong to local runs
  std::vector<LocationId> observed_locations;  // of the outermost function: local runs stop there
  std::vector<RegisterId> observed_registers;  // of the outermost function: never forgotten, and local runs
                                               // stop before each assignment to them
  std::uint64_t local_steps = 20'000'000;
  std::uint32_t self = 0;  // the number of the thread, where the program knows it (see `identify`)
  bool dormant = false;

  friend bool operator==(const AutomatonOptions&, const AutomatonOptions&) = default;
};

// Sets what of the options comes from the thread itself.
void identify(AutomatonOptions& options, const Code& code, ThreadId thread);

// One instruction executed on the way from one local state to the next.
struct PathStep {
  EdgeId edge;
  Value value = 0;  // assigned, chosen or allocated; for the action itself, the value it returned
  // Of accesses to private memory and constants; `value` is then what was read, or stored by a store.
  Value address = 0;
  Value written = 0;
  bool stored = false;
};

class ThreadAutomaton {
 public:
  // `code` must outlive the automaton.
  ThreadAutomaton(const Code& code, FunctionId function, std::span<const Value> arguments,
                  AutomatonOptions options);

  StateId initial() const { return initial_; }
  std::uint32_t self() const { return options_.self; }

  // Valid until the next state is unfolded.
  std::span<const Action> actions(StateId state);
  StateId successor(StateId state, std::uint32_t action, Value returned = 0);

  // A dormant thread counts as stopped as long as it has done nothing.
  bool stopped(StateId state) const { return info_[state.index()].flags & (kStopped | kDormant); }
  bool cut(StateId state) const { return info_[state.index()].flags & kCut; }
  // Where the thread is in its outermost function; none if it is inside a call or stopped by returning.
  LocationId location(StateId state) const { return info_[state.index()].location; }
  // Where its innermost activation is; none if it stopped by returning.
  LocationId innermost_location(StateId state) const;
  // A register of the outermost activation.
  Value register_value(StateId state, RegisterId reg) const;
  // How many blocks the thread has allocated, stack blocks apart.
  std::uint64_t allocated(StateId state) const;

  // The instructions executed before the initial state, and those of one step: the action's own first.
  std::vector<PathStep> initial_path();
  std::vector<PathStep> path(StateId state, std::uint32_t action, Value returned = 0);

  std::size_t state_count() const { return info_.size(); }
  // Instructions executed so far, not counting those answered from the tables.
  std::uint64_t instructions() const { return instructions_; }

  // See base/archive.hpp. All that was unfolded, with its numbers.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(initial_, instructions_, states_, info_, actions_, slots_, successors_, blocks_);
  }

 private:
  // A local state in the making. `words` is the encoding: in a program that allocates, how many blocks the
  // thread has of the heap and of the stack; for the outermost activation [location, registers, private
  // memory…], for each inner one [edge of the call, location, registers, private memory…].
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
  enum class RunEnd : std::uint8_t { kReady, kLoops, kCut, kDormant };

  // Words of an encoding that no location, edge or flag shares.
  static constexpr Value kNowhere = -1, kLoopMark = -2, kCutMark = -3, kDormantMark = -4;
  enum Flag : std::uint8_t {
    kStopped = 1,
    kLoops = 2,
    kCut = 4,
    kDormant = 8,
    kMarked = kLoops | kCut | kDormant
  };
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  enum Counter : std::size_t { kHeapBlocks, kStackBlocks, kCounters };

  struct Info {
    LocationId location;
    std::uint8_t flags = 0;
    std::uint32_t first_action = kUnknown;
    std::uint32_t action_count = 0;

    template <class Archive>
    void transfer(Archive& archive) {
      archive(location, flags, first_action, action_count);
    }
  };

  // Where an access goes, if it does not fail.
  struct Target {
    enum class Place : std::uint8_t { kShared, kConstant, kPrivate };

    Place place = Place::kShared;
    Type cell = kInt64;
    std::optional<FailureKind> failure;
    std::size_t frame = 0;  // private: which activation
    std::uint64_t offset = 0;
    Value constant = 0;  // what a constant cell holds
  };

  // What the thread can do silently next: nothing, or one instruction.
  enum class Silence : std::uint8_t { kSilent, kVisible, kDisabled };

  Config load(StateId state) const;
  StateId store(Config& config, RunEnd end);
  void forget_dead(Config& config) const;
  FunctionId function_at(LocationId location) const {
    return location ? program_.location(location).function : function_;
  }

  RunEnd run(Config& config, std::vector<PathStep>* recorder);
  std::uint64_t run_fast(Config& config, LocationId until, std::uint64_t most);
  bool access_private(const Function& function, PrivateMemory& memory, const LocationPlan& plan,
                      std::uint64_t offset, const Operands& operands, Value& read) const;
  RunEnd step_and_run(Config& config, EdgeId edge, Value value, std::vector<PathStep>* recorder);
  void take(Config& config, EdgeId edge, Value value, std::vector<PathStep>* recorder);
  void enter(Config& config, EdgeId call);
  void leave(Config& config, const Instruction& instruction);
  void assign(Config& config, RegisterId reg, Value value) const;
  bool stops_run(const Config& config) const;
  bool repeats(Config& config, const std::vector<Value>& snapshot) const;
  bool changes_observed(const Config& config, const Instruction& instruction) const;
  std::optional<PathStep> only_silent_step(Config& config);
  Silence silence(Config& config, const Instruction& instruction, Value& value);
  Silence access_silence(Config& config, const Instruction& instruction, Value& value);
  bool eval(const Config& config, ExprId id, Value& result);
  std::optional<Value> eval(const Config& config, ExprId id);

  Target locate(const Config& config, Value address, const Instruction& instruction) const;
  Target locate_on_several_cells(Value address, const Instruction& instruction) const;
  Target locate_private(const Config& config, Value address, Type type) const;
  bool may_exist(const BlockAddress& block) const;
  PrivateMemory private_memory(Config& config, std::size_t frame) const;
  std::optional<FailureKind> private_failure(Config& config, const Target& target,
                                             const Instruction& instruction, Value value, Value& read);
  bool write_private(Config& config, const Target& target, const Instruction& instruction, Value read,
                     Value& written);
  void take_access(Config& config, const Instruction& instruction, PathStep& step);
  bool can_allocate(const Config& config, const Instruction& instruction, std::uint64_t size) const;
  Value allocate(Config& config, const Instruction& instruction, std::uint64_t size) const;
  static Counter counter(BlockKind kind) { return kind == BlockKind::kStack ? kStackBlocks : kHeapBlocks; }

  void unfold(StateId state);
  void offer(Config& config, EdgeId edge);
  void offer_choices(EdgeId edge);
  void offer_access(Config& config, EdgeId edge);
  void offer_free(Config& config, EdgeId edge);
  Action local_action(const Config& config, EdgeId edge);
  void add_action(const Action& action);

  const Code& code_;
  const Program& program_;
  FunctionId function_;
  AutomatonOptions options_;
  std::size_t header_ = 0;  // words before the outermost activation
  std::vector<bool> observed_location_;
  std::vector<bool> observed_register_;
  Config start_;
  StateId initial_;
  std::uint64_t instructions_ = 0;

  SequenceInterner<Value> states_;
  std::vector<Info> info_;
  std::vector<Action> actions_;
  std::vector<ValueTable::Slot> slots_;  // per action
  ValueTable successors_;
  std::vector<Value> temporaries_;
  absl::flat_hash_set<Value> blocks_;  // addresses of all that the thread has allocated, in whatever state
};

}  // namespace weir
