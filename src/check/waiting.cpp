#include "check/waiting.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "check/reference/access.hpp"
#include "check/reference/machine.hpp"

namespace weir {

namespace {

bool is_access(Opcode op) { return op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw; }

class Attempt {
 public:
  Attempt(const ReferenceMachine& machine, const ReferenceState& state, ThreadId thread)
      : machine_(machine), program_(machine.program()), start_(state), thread_(thread) {}

  // Nothing if the thread can take a step.
  std::optional<WaitingThread> run() {
    for (const EdgeId edge : edges_at(start_)) {
      if (can_take(edge)) return std::nullopt;
      if (!found_.edge) found_.edge = edge;
    }
    if (!found_.edge) return std::nullopt;
    found_.thread = thread_;
    return std::move(found_);
  }

 private:
  const std::vector<EdgeId>& edges_at(const ReferenceState& state) const {
    static const std::vector<EdgeId> kNone;
    const LocationId place = current_location(state, thread_);
    return place ? program_.location(place).edges : kNone;
  }

  bool can_take(EdgeId edge) {
    ReferenceState state = start_;
    const Instruction& instruction = program_.edge(edge).instruction;
    const Execution executed = machine_.execute(state, thread_, edge, instruction.low, false);
    if (instruction.op != Opcode::kAtomicBegin) {
      note(executed.step);
      return executed.obstacle == nullptr;
    }
    if (executed.obstacle != nullptr) return false;
    found_.what = instruction.message;
    return reaches_end(state);
  }

  // All ways through the block; what a choice yields makes no difference to what is looked at first.
  bool reaches_end(const ReferenceState& start) {
    std::vector<ReferenceState> open{start};
    std::set<ReferenceState> seen{start};
    while (!open.empty() && seen.size() < kMostStates) {
      const ReferenceState state = std::move(open.back());
      open.pop_back();
      for (const EdgeId edge : edges_at(state)) {
        const Instruction& instruction = program_.edge(edge).instruction;
        for (Value chosen = instruction.low; chosen <= instruction.high; ++chosen) {
          ReferenceState after = state;
          const Execution executed = machine_.execute(after, thread_, edge, chosen, true);
          if (executed.failure || executed.unsupported) return true;
          if (executed.obstacle != nullptr) continue;
          note(executed.step);
          if (instruction.op == Opcode::kAtomicEnd || after.halted) return true;
          if (seen.insert(after).second) open.push_back(std::move(after));
        }
      }
    }
    return false;
  }

  void note(const WitnessStep& step) {
    if (!is_access(program_.edge(step.edge).instruction.op)) return;
    if (region_of(program_, step.address) != Region::kShared) return;
    if (std::ranges::find(found_.addresses, step.address) == found_.addresses.end())
      found_.addresses.push_back(step.address);
  }

  static constexpr std::size_t kMostStates = 1000;

  const ReferenceMachine& machine_;
  const Program& program_;
  const ReferenceState& start_;
  ThreadId thread_;
  WaitingThread found_;
};

// False if the step is not possible.
bool repeat(const ReferenceMachine& machine, const Program& program, const WitnessStep& step, bool& in_block,
            ReferenceState& state) {
  if (step.kind == WitnessStep::Kind::kFlush) {
    const StoreBuffer& buffer = state.buffers[step.thread.index()];
    const auto entry = oldest_store_to(buffer, step.address, machine.model());
    if (!entry) return false;
    machine.flush(state, step.thread, *entry);
    return true;
  }
  const Opcode op = program.edge(step.edge).instruction.op;
  if (!machine.execute(state, step.thread, step.edge, step.value, in_block).succeeded()) return false;
  if (op == Opcode::kAtomicBegin) in_block = true;
  if (op == Opcode::kAtomicEnd || state.halted) in_block = false;
  return true;
}

}  // namespace

std::vector<WaitingThread> waiting_threads(const Program& program, const Witness& witness) {
  const ReferenceMachine machine(program, witness.model);
  ReferenceState state = machine.initial();
  bool in_block = false;
  for (const WitnessStep& step : witness.steps)
    if (!repeat(machine, program, step, in_block, state)) return {};
  std::vector<WaitingThread> found;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    if (machine.stopped(state, ThreadId(t))) continue;
    if (auto waiting = Attempt(machine, state, ThreadId(t)).run()) found.push_back(std::move(*waiting));
  }
  return found;
}

}  // namespace weir
