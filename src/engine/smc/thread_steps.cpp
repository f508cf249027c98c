#include "engine/smc/thread_steps.hpp"

#include <algorithm>

#include "program/ordering.hpp"

namespace weir {

ThreadSteps::ThreadSteps(const Program& program, Model model, std::uint64_t local_steps)
    : model_(model), code_(program), memory_(program), outcomes_(program.threads.size()) {
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    AutomatonOptions options;
    options.silent_fences = !buffers_stores(model);
    options.local_steps = local_steps;
    identify(options, code_, ThreadId(t));
    const Thread& thread = program.threads[t];
    automata_.push_back(
        std::make_unique<ThreadAutomaton>(code_, thread.function, thread.arguments, std::move(options)));
  }
  cells_.resize(automata_.size());
  offers_.resize(automata_.size());
}

std::uint8_t ThreadSteps::roles(const Action& action) const {
  switch (action.kind) {
    case ActionKind::kStore:
      if (writes_at_once(model_, action.order)) return kDrains;
      return puts_barrier(action.order) ? kBuffered | kBarrier : kBuffered;
    case ActionKind::kFree:
      if (!buffers_stores(model_)) return kDrains;
      return writes_at_once(model_, action.order) ? 0 : kBuffered | kBarrier;
    case ActionKind::kFence:
      if (waits_for_empty_buffer(action.fence)) return kDrains;
      return puts_barrier(action.fence) ? kBarrier : 0;
    case ActionKind::kRmw:
    case ActionKind::kLock:
    case ActionKind::kAtomicBegin: return kDrains;
    case ActionKind::kFail: return drains_to_fail(action) ? kDrains : 0;
    default: return 0;
  }
}

std::uint32_t ThreadSteps::written_cell(std::size_t thread, StateId state, std::uint32_t index) {
  const Action& action = automata_[thread]->actions(state)[index];
  if (action.kind == ActionKind::kStore) return cell_of(thread, state, index, action);
  if (action.kind == ActionKind::kFree) return memory_.cell(status_address(action.address)).index();
  return kNone;
}

bool ThreadSteps::can_imagine() const {
  return std::ranges::none_of(code_.program().edges, [](const Edge& edge) {
    return edge.instruction.op == Opcode::kAllocate || edge.instruction.op == Opcode::kLock;
  });
}

bool ThreadSteps::changes_memory() const {
  return std::ranges::any_of(written_, [&](const Written& write) {
    return std::ranges::none_of(
        seen_, [&](const Seen& read) { return read.cell == write.cell && read.value == write.value; });
  });
}

ThreadSteps::Offer ThreadSteps::make_offer(std::size_t thread, StateId state, std::uint32_t action) {
  const std::span<const Action> actions = automata_[thread]->actions(state);
  if (actions.empty() || halt_at(thread, state) != nullptr) return {};
  return {.actions = static_cast<std::uint32_t>(actions.size()),
          .kind = actions[action].kind,
          .may_wait = may_wait(actions[action]),
          .roles = roles(actions[action])};
}

void ThreadSteps::execute(StepOutcomes::Node& step) {
  step.outcome.result =
      run(step.thread, step.before, step.action, [&](std::uint32_t i, std::uint32_t, Value& value) {
        if (i < step.answers.size()) value = step.answers[i];
        return i < step.answers.size();
      });
  step.outcome.changes_memory = changes_memory();
  step.outcome.written = written_;
  step.outcome.blocks = blocks_;
}

void ThreadSteps::note_block(const Action& action) {
  if (!memory_.releases()) return;
  const bool accesses = returns_value(action) || action.kind == ActionKind::kStore;
  if (!accesses || address_kind(action.address) != AddressKind::kBlock) return;
  blocks_.push_back(memory_.cell(status_address(action.address)).index());
}

void ThreadSteps::note_written(std::uint32_t cell, Value value) {
  for (Written& known : written_)
    if (known.cell == cell) {
      known.value = value;
      return;
    }
  written_.push_back({cell, value});
}

}  // namespace weir
