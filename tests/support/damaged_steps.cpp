#include "support/damaged_steps.hpp"

#include <algorithm>

namespace weir::test {

namespace {

bool has_address(Opcode op) {
  return op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw || op == Opcode::kFree;
}

bool has_value(Opcode op) {
  return op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw || op == Opcode::kAssign ||
         op == Opcode::kChoose || op == Opcode::kAllocate;
}

bool tells_flush(const WitnessStep& said, const WitnessStep& happened) {
  return said.address == happened.address && said.value == happened.value &&
         (!said.edge || said.edge == happened.edge);
}

}  // namespace

bool tells(const Program& program, const WitnessStep& said, const WitnessStep& happened) {
  if (said.kind != happened.kind || said.thread != happened.thread) return false;
  if (said.kind == WitnessStep::Kind::kFlush) return tells_flush(said, happened);
  if (said.edge != happened.edge) return false;
  const Opcode op = program.edge(said.edge).instruction.op;
  if (has_address(op) && said.address != happened.address) return false;
  if (has_value(op) && said.value != happened.value) return false;
  if (op != Opcode::kRmw) return true;
  return said.stored == happened.stored && (!said.stored || said.written == happened.written);
}

std::optional<ReferenceStep> unit_told_by(const ReferenceMachine& machine, const ReferenceState& state,
                                          std::span<const WitnessStep> steps) {
  const auto told = [&](const ReferenceStep& unit) {
    return unit.steps.size() <= steps.size() &&
           std::ranges::equal(steps.first(unit.steps.size()), unit.steps,
                              [&](const auto& said, const auto& happened) {
                                return tells(machine.program(), said, happened);
                              });
  };
  if (state.halted) return std::nullopt;
  for (ReferenceStep& unit : machine.steps(state))
    if (told(unit)) return std::move(unit);
  return std::nullopt;
}

std::vector<Witness> with_damaged_steps(const Program& program, const Witness& witness) {
  std::vector<Witness> found;
  const auto add = [&](auto change) {
    Witness changed = witness;
    change(changed.steps);
    found.push_back(std::move(changed));
  };
  for (std::size_t i = 0; i < witness.steps.size(); ++i) {
    const auto place = static_cast<std::ptrdiff_t>(i);
    const auto add_field = [&](auto change) { add([&](auto& steps) { change(steps[i]); }); };
    add([&](auto& steps) { steps.erase(steps.begin() + place); });
    add([&](auto& steps) { steps.insert(steps.begin() + place, WitnessStep(steps[i])); });
    if (i + 1 < witness.steps.size()) add([&](auto& steps) { std::swap(steps[i], steps[i + 1]); });
    for (std::size_t other = 0; other <= program.threads.size(); ++other)
      if (ThreadId(other) != witness.steps[i].thread)
        add_field([&](WitnessStep& step) { step.thread = ThreadId(other); });
    for (std::size_t edge = 0; edge <= program.edges.size(); ++edge)
      if (EdgeId(edge) != witness.steps[i].edge)
        add_field([&](WitnessStep& step) { step.edge = EdgeId(edge); });
    add_field([](WitnessStep& step) {
      step.kind = step.kind == WitnessStep::Kind::kFlush ? WitnessStep::Kind::kInstruction
                                                         : WitnessStep::Kind::kFlush;
    });
    add_field([](WitnessStep& step) { step.address ^= 1; });
    add_field([](WitnessStep& step) { step.value ^= 1; });
    add_field([](WitnessStep& step) { step.written ^= 1; });
    add_field([](WitnessStep& step) { step.stored = !step.stored; });
  }
  return found;
}

}  // namespace weir::test
