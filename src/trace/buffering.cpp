#include "trace/buffering.hpp"

#include <algorithm>

#include "program/address.hpp"
#include "program/ordering.hpp"

namespace weir {

std::optional<Value> buffered_cell(const Program& program, const WitnessStep& step, Model model,
                                   bool in_atomic) {
  const Instruction& instruction = program.edge(step.edge).instruction;
  if (!buffers_stores(model) || in_atomic) return std::nullopt;
  if (instruction.op == Opcode::kFree && step.address != 0 && instruction.block != BlockKind::kStack)
    return status_address(step.address);
  const bool is_private = !program.open_memory && address_kind(step.address) == AddressKind::kPrivate;
  const bool buffered =
      instruction.op == Opcode::kStore && !writes_at_once(model, instruction.order) && !is_private;
  return buffered ? std::optional(step.address) : std::nullopt;
}

namespace {

// A store that is not yet flushed.
struct Waiting {
  std::size_t step;
  Value cell;
};

}  // namespace

Buffering find_buffering(const Program& program, const Witness& witness) {
  const std::size_t count = witness.steps.size();
  Buffering result{std::vector<bool>(count), std::vector<bool>(count),
                   std::vector<std::size_t>(count, kNoStep)};
  std::vector<std::vector<Waiting>> waiting(program.threads.size());  // oldest first
  std::vector<bool> in_atomic(program.threads.size());
  for (std::size_t i = 0; i < count; ++i) {
    const WitnessStep& step = witness.steps[i];
    const auto thread = step.thread.index();
    if (step.kind == WitnessStep::Kind::kFlush) {
      auto& stores = waiting[thread];
      const auto store = std::ranges::find(stores, step.address, &Waiting::cell);
      if (store == stores.end()) continue;
      result.partner[i] = store->step;
      result.partner[store->step] = i;
      stores.erase(store);
      continue;
    }
    const Instruction& instruction = program.edge(step.edge).instruction;
    if (instruction.op == Opcode::kAtomicBegin) in_atomic[thread] = true;
    result.in_atomic[i] = in_atomic[thread];
    if (instruction.op == Opcode::kAtomicEnd) in_atomic[thread] = false;
    const std::optional<Value> cell = buffered_cell(program, step, witness.model, result.in_atomic[i]);
    if (!cell) continue;
    result.buffered[i] = true;
    waiting[thread].push_back({i, *cell});
  }
  return result;
}

}  // namespace weir
