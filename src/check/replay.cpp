// One step of the witness after the other on one state of the reference machine.
#include "check/replay.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <utility>

#include "check/happens_before.hpp"
#include "check/reference/access.hpp"
#include "check/reference/machine.hpp"
#include "check/starvation_check.hpp"
#include "check/unordered_accesses.hpp"

namespace weir {

namespace {

using Complaint = std::optional<std::string>;  // what is wrong; nothing if all is well

const char* verb(Opcode op) {
  switch (op) {
    case Opcode::kNop: return "go on";
    case Opcode::kAssign: return "assign";
    case Opcode::kAssume: return "pass an assumption";
    case Opcode::kAssert: return "check an assertion";
    case Opcode::kLoad: return "load";
    case Opcode::kStore: return "store to";
    case Opcode::kRmw: return "read and modify";
    case Opcode::kFence: return "pass a fence";
    case Opcode::kLock: return "take the lock";
    case Opcode::kUnlock: return "release the lock";
    case Opcode::kAtomicBegin: return "begin an atomic block";
    case Opcode::kAtomicEnd: return "end an atomic block";
    case Opcode::kChoose: return "choose a value";
    case Opcode::kCall: return "call a function";
    case Opcode::kReturn: return "return";
    case Opcode::kStop: return "stop";
    case Opcode::kAllocate: return "allocate";
    case Opcode::kFree: return "free";
    case Opcode::kHalt: return "end the execution";
  }
  return "execute an instruction";
}

bool accesses_memory(Opcode op) { return op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw; }
// Of the state after the last step.
bool is_about_a_state(const Violation& violation) {
  return violation.kind != ViolationKind::kTriangularRace && violation.kind != ViolationKind::kRobustness;
}

bool has_address(Opcode op) { return accesses_memory(op) || op == Opcode::kFree; }
bool has_value(Opcode op) { return accesses_memory(op) || op == Opcode::kAssign || op == Opcode::kAllocate; }

// Triangular races.

bool drains_buffer(const Program& program, const WitnessStep& step) {
  const Instruction& instruction = program.edge(step.edge).instruction;
  switch (instruction.op) {
    case Opcode::kFence: return instruction.fence == FenceKind::kFull;
    case Opcode::kStore: return instruction.order == Order::kSequential;
    case Opcode::kRmw:
    case Opcode::kLock:
    case Opcode::kUnlock:
    case Opcode::kAtomicBegin:
    case Opcode::kAtomicEnd: return true;
    default: return false;
  }
}

// Could a store of the thread still be in its buffer, under TSO, when it loads? Only the latest one matters:
// a store to the loaded address would be read, and one further back cannot be delayed without it.
bool may_delay_a_store(const Program& program, const Witness& witness, const std::vector<TraceEvent>& events,
                       std::size_t load) {
  const TraceEvent& read = events[load];
  for (std::size_t i = load; i-- > 0;) {
    const TraceEvent& store = events[i];
    if (store.thread != read.thread || !store.writes) continue;
    const auto drains = [&](const WitnessStep& step) {
      return step.thread == read.thread && drains_buffer(program, step);
    };
    const auto steps = std::span(witness.steps).subspan(store.step, read.step - store.step);
    return store.address != read.address && store.unit != read.unit && std::ranges::none_of(steps, drains);
  }
  return false;
}

// The witness must be an execution under SC, where the events of a unit stand together.
bool ends_in_triangular_race(const Program& program, const Witness& witness) {
  const std::vector<TraceEvent> events = trace_events(program, witness);
  if (events.empty()) return false;
  const auto last_unit = std::ranges::find(events, events.back().unit, &TraceEvent::unit);
  if (last_unit == events.begin()) return false;
  const TraceEvent& load = *std::prev(last_unit);
  if (program.edge(load.edge).instruction.op != Opcode::kLoad || load.thread == last_unit->thread)
    return false;
  const auto writes_it = [&](const TraceEvent& event) {
    return event.writes && event.address == load.address;
  };
  return std::any_of(last_unit, events.end(), writes_it) &&
         may_delay_a_store(program, witness, events, static_cast<std::size_t>(&load - events.data()));
}

class Replay {
 public:
  Replay(const Program& program, const Witness& witness)
      : machine_(program, witness.model),
        program_(program),
        witness_(witness),
        state_(machine_.initial()),
        starvation_(machine_, witness) {}

  ReplayResult run() {
    for (std::size_t i = 0; i < witness_.steps.size(); ++i) {
      if (witness_.starvation && !block_) starvation_.before(i, state_);
      if (Complaint complaint = take(witness_.steps[i], i))
        return {.failed_step = i,
                .failure = fmt::format("step {}: {}", i + 1, *complaint),
                .unsupported = unsupported_};
    }
    if (Complaint complaint = check_end())
      return {.failed_step = witness_.steps.size(),
              .failure = std::move(*complaint),
              .unsupported = unsupported_};
    ReplayResult result{.reproduced = true};
    if (witness_.violation.kind == ViolationKind::kRace) result.race = racing_accesses();
    return result;
  }

 private:
  // Of the races there are now, one at the place that the witness speaks of.
  std::vector<RacingAccess> racing_accesses() const {
    if (witness_.violation.property == kUnordered) return unordered_accesses();
    const auto races = machine_.data_races(state_);
    const auto is_meant = [&](const auto& race) {
      return program_.edge(race.first.edge).position == witness_.violation.position ||
             program_.edge(race.second.edge).position == witness_.violation.position;
    };
    auto found = std::ranges::find_if(races, is_meant);
    if (found == races.end()) found = races.begin();
    if (found == races.end()) return {};
    return {{found->first.thread, found->first.edge, found->first.address},
            {found->second.thread, found->second.edge, found->second.address}};
  }

  std::vector<RacingAccess> unordered_accesses() const {
    const auto pair = unordered_at_end(program_, witness_);
    if (!pair) return {};
    const auto access = [&](std::size_t step) {
      return RacingAccess{witness_.steps[step].thread, witness_.steps[step].edge,
                          witness_.steps[step].address};
    };
    return {access(pair->first), access(pair->second)};
  }

  Complaint take(const WitnessStep& step, std::size_t index) {
    if (step.thread.index() >= program_.threads.size()) return "there is no such thread";
    if (state_.halted) return "the execution has ended before";
    if (block_ && *block_ != step.thread)
      return fmt::format("thread {} cannot move while thread {} is inside an atomic block",
                         name_of(step.thread), name_of(*block_));
    const bool last = index + 1 == witness_.steps.size();
    return step.kind == WitnessStep::Kind::kFlush ? take_flush(step, last) : take_instruction(step, last);
  }

  // Flushes.

  Complaint take_flush(const WitnessStep& step, bool last) {
    if (block_) return cannot(step, "flush", "it is inside an atomic block");
    const StoreBuffer& buffer = state_.buffers[step.thread.index()];
    if (buffer.empty()) return cannot(step, "flush", "its buffer is empty");
    if (!machine_.lock_allows_flush(state_, step.thread))
      return cannot(step, "flush", "another thread holds the lock");
    const std::optional<std::size_t> entry = oldest_store_to(buffer, step.address, witness_.model);
    if (!entry) return cannot(step, "flush", "no store to that address is the next to leave the buffer");
    const std::optional<Violation> failure = machine_.late_flush(state_, step.thread, *entry);
    const WitnessStep flushed = machine_.flush(state_, step.thread, *entry);
    if (flushed.value != step.value)
      return cannot(step, "flush",
                    disagreement("the value", step.value, "the buffered value is", flushed.value));
    if (step.edge && step.edge != flushed.edge)
      return cannot(step, "flush", "the buffered store comes from another instruction than the witness says");
    return failure ? take_failure(step, *failure, step.address, last) : std::nullopt;
  }

  // Instructions.

  Complaint take_instruction(const WitnessStep& step, bool last) {
    if (Complaint complaint = check_position(step)) return complaint;
    const Opcode op = program_.edge(step.edge).instruction.op;
    const Execution execution =
        machine_.execute(state_, step.thread, step.edge, step.value, block_.has_value());
    if (execution.obstacle != nullptr) return cannot(step, verb(op), execution.obstacle);
    if (execution.unsupported) {
      unsupported_ = execution.unsupported;
      return cannot(step, verb(op), *execution.unsupported);
    }
    if (execution.failure) return take_failure(step, *execution.failure, execution.step.address, last);
    if (op == Opcode::kAtomicBegin) block_ = step.thread;
    if (op == Opcode::kAtomicEnd || state_.halted) block_.reset();
    return compare(step, execution.step);
  }

  Complaint check_position(const WitnessStep& step) const {
    if (step.edge.index() >= program_.edges.size()) return "there is no such instruction";
    const LocationId location = current_location(state_, step.thread);
    const LocationId source = program_.edge(step.edge).source;
    if (!location) return fmt::format("thread {} has stopped", name_of(step.thread));
    if (location == source) return std::nullopt;
    return fmt::format("thread {} is at {}, but the instruction starts at {}", name_of(step.thread),
                       program_.location_name(location), program_.location_name(source));
  }

  Complaint take_failure(const WitnessStep& step, const Violation& failure, Value address, bool last) {
    if (!last)
      return fmt::format("thread {} fails here ({}), but the witness goes on", name_of(step.thread),
                         failure.message);
    if (failure.kind != witness_.violation.kind)
      return fmt::format("thread {} fails here ({}), but the witness claims another kind of violation: {}",
                         name_of(step.thread), failure.message, name(witness_.violation.kind));
    if (failure.kind == ViolationKind::kMemory && failure.property != witness_.violation.property)
      return fmt::format("thread {} fails here ({}), but the witness claims that a block is left",
                         name_of(step.thread), failure.message);
    if (failure.kind == ViolationKind::kMemory && step.address != address)
      return cannot(step, "fail at",
                    fmt::format("the address accessed is {}", program_.address_name(address)));
    last_step_failed_ = true;
    return std::nullopt;
  }

  // Does the witness say what happened?
  Complaint compare(const WitnessStep& said, const WitnessStep& happened) const {
    const Opcode op = program_.edge(said.edge).instruction.op;
    if (has_address(op) && said.address != happened.address)
      return cannot(said, verb(op),
                    fmt::format("the address accessed is {}", program_.address_name(happened.address)));
    if (has_value(op) && said.value != happened.value)
      return cannot(said, verb(op), disagreement_on_value(op, said.value, happened.value));
    if (op == Opcode::kRmw && said.stored != happened.stored)
      return cannot(said, verb(op), happened.stored ? "it does write" : "it does not write");
    if (op == Opcode::kRmw && said.stored && said.written != happened.written)
      return cannot(said, verb(op), disagreement("the value", said.written, "it writes", happened.written));
    return std::nullopt;
  }

  // The end.

  Complaint check_end() {
    if (last_step_failed_) return std::nullopt;
    if (block_)
      return fmt::format("the witness ends while thread {} is inside an atomic block", name_of(*block_));
    if (state_.halted && is_about_a_state(witness_.violation))
      return unless(false, "the execution was ended by halt, which is no violation");
    const Violation& claim = witness_.violation;
    const Properties& properties = program_.properties;
    switch (claim.kind) {
      case ViolationKind::kAssertion: return "the last step of the witness does not fail";
      case ViolationKind::kMemory:
        if (claim.property != kLeak) return "the last step of the witness does not fail";
        if (!properties.leaks) return "the program does not ask for the absence of leaks";
        return unless(machine_.leak(state_).has_value(), "no block is left");
      case ViolationKind::kGoal:
        if (claim.property >= properties.goals.size()) return "there is no such goal";
        return unless(machine_.goal_reached(state_, claim.property), "the goal is not reached");
      case ViolationKind::kForbidden:
        if (claim.property >= properties.exclusive.size()) return "there is no such exclusive list";
        return unless(machine_.exclusion_broken(state_, claim.property),
                      "no two threads are at locations of the exclusive list");
      case ViolationKind::kUnsafe:
        if (claim.property >= properties.invariants.size()) return "there is no such invariant";
        return unless(machine_.invariant_broken(state_, claim.property), "the invariant holds");
      case ViolationKind::kDeadlock:
        if (claim.property == kPartial) return check_partial_deadlock();
        if (!properties.deadlock) return "the program does not ask for the absence of deadlocks";
        return unless(machine_.deadlocked(state_), "there is no deadlock");
      case ViolationKind::kRace:
        if (!properties.races) return "the program does not ask for the absence of data races";
        if (claim.property == kUnordered)
          return unless(unordered_at_end(program_, witness_).has_value(), "no two accesses are unordered");
        return unless(machine_.data_race(state_).has_value(), "there is no data race");
      case ViolationKind::kTriangularRace:
        if (witness_.model != Model::kSc) return "a triangular race is an execution under SC";
        return unless(ends_in_triangular_race(program_, witness_), "there is no triangular race");
      case ViolationKind::kRobustness: return check_robustness();
      case ViolationKind::kStarvation:
        if (!witness_.starvation) return "the witness does not say what is repeated";
        return starvation_.mistake(state_);
    }
    return "there is no such kind of violation";
  }

  Complaint check_partial_deadlock() {
    if (!program_.properties.partial_deadlock)
      return "the program does not ask for the absence of partial deadlocks";
    const std::optional<bool> stuck = machine_.stuck_for_good(state_);
    if (!stuck) unsupported_ = "whether a thread is stuck for good: too many states follow to see";
    return unless(stuck.value_or(false), "no thread is stuck for good");
  }

  Complaint check_robustness() const {
    if (witness_.model == Model::kSc) return "every execution under SC is robust";
    if (!std::ranges::all_of(state_.buffers, &StoreBuffer::empty))
      return unless(false, "a buffer is not empty");
    return unless(!happens_before(program_, witness_).cycle().empty(), "happens-before has no cycle");
  }

  static Complaint unless(bool holds, const char* otherwise) {
    if (holds) return std::nullopt;
    return fmt::format("after the last step of the witness, {}", otherwise);
  }

  // Words.

  const std::string& name_of(ThreadId thread) const { return program_.thread(thread).name; }

  std::string cannot(const WitnessStep& step, std::string_view what, std::string_view why) const {
    const bool somewhere =
        step.kind == WitnessStep::Kind::kFlush || has_address(program_.edge(step.edge).instruction.op);
    return fmt::format("thread {} cannot {}{}{}: {}", name_of(step.thread), what, somewhere ? " " : "",
                       somewhere ? program_.address_name(step.address) : "", why);
  }

  static std::string disagreement(std::string_view what, Value said, std::string_view but, Value happened) {
    return fmt::format("the witness says {} is {}, but {} {}", what, said, but, happened);
  }

  static std::string disagreement_on_value(Opcode op, Value said, Value happened) {
    const bool reads = op == Opcode::kLoad || op == Opcode::kRmw;
    return fmt::format("the witness says {}, {} {}", said, reads ? "the thread sees" : "the value is",
                       happened);
  }

  const ReferenceMachine machine_;
  const Program& program_;
  const Witness& witness_;
  ReferenceState state_;
  std::optional<ThreadId> block_;  // who is inside an atomic block
  std::optional<std::string> unsupported_;
  bool last_step_failed_ = false;
  StarvationCheck starvation_;
};

}  // namespace

ReplayResult replay(const Program& program, const Witness& witness) { return Replay(program, witness).run(); }

}  // namespace weir
