#include "trace/buffering.hpp"

#include <algorithm>

namespace weir {

namespace {

bool enters_buffer(const Instruction& instruction, Model model, bool in_atomic) {
  return model != Model::kSc && instruction.op == Opcode::kStore && instruction.order != Order::kSequential &&
         !in_atomic;
}

}  // namespace

Buffering find_buffering(const Program& program, const Witness& witness) {
  const std::size_t count = witness.steps.size();
  Buffering result{std::vector<bool>(count), std::vector<bool>(count),
                   std::vector<std::size_t>(count, kNoStep)};
  std::vector<std::vector<std::size_t>> waiting(
      program.threads.size());  // stores not yet flushed, oldest first
  std::vector<bool> in_atomic(program.threads.size());
  for (std::size_t i = 0; i < count; ++i) {
    const WitnessStep& step = witness.steps[i];
    const auto thread = step.thread.index();
    if (step.kind == WitnessStep::Kind::kFlush) {
      auto& stores = waiting[thread];
      const auto store = std::find_if(stores.begin(), stores.end(), [&](std::size_t s) {
        return witness.steps[s].address == step.address;
      });
      if (store == stores.end()) continue;
      result.partner[i] = *store;
      result.partner[*store] = i;
      stores.erase(store);
      continue;
    }
    const Instruction& instruction = program.edge(step.edge).instruction;
    if (instruction.op == Opcode::kAtomicBegin) in_atomic[thread] = true;
    result.in_atomic[i] = in_atomic[thread];
    if (instruction.op == Opcode::kAtomicEnd) in_atomic[thread] = false;
    if (!enters_buffer(instruction, witness.model, result.in_atomic[i])) continue;
    result.buffered[i] = true;
    waiting[thread].push_back(i);
  }
  return result;
}

}  // namespace weir
