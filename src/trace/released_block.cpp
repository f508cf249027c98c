#include "trace/released_block.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "program/address.hpp"
#include "program/source_terms.hpp"

namespace weir {

namespace {

Value start_of(Value address) {
  BlockAddress block = decode_block(address);
  block.offset = 0;
  return encode(block);
}

const Instruction& instruction_of(const Program& program, const WitnessStep& step) {
  return program.edge(step.edge).instruction;
}

}  // namespace

std::optional<std::string> describe_released_block(const Program& program, const Witness& witness) {
  if (witness.steps.empty() || program.open_memory) return std::nullopt;
  const WitnessStep& last = witness.steps.back();
  if (address_kind(last.address) != AddressKind::kBlock) return std::nullopt;
  const Value start = start_of(last.address);
  const auto terms = terms_of(program);
  const auto executed = [&](Opcode op, auto of) {
    return std::find_if(witness.steps.rbegin() + 1, witness.steps.rend(), [&](const WitnessStep& step) {
      return step.kind == WitnessStep::Kind::kInstruction && instruction_of(program, step).op == op &&
             of(step) == start;
    });
  };
  const auto release = executed(Opcode::kFree, [](const WitnessStep& step) { return step.address; });
  if (release == witness.steps.rend() || instruction_of(program, *release).renews) return std::nullopt;
  const auto allocation = executed(Opcode::kAllocate, [](const WitnessStep& step) { return step.value; });

  const bool on_stack = decode_block(start).kind == BlockKind::kStack;
  std::string name = program.address_name(last.address), from;
  if (allocation != witness.steps.rend()) {
    const std::string& variable = instruction_of(program, *allocation).message;
    if (!variable.empty()) name = fmt::format("'{}'", variable);
    const SourcePosition place = own_position(program, terms.get(), allocation->edge);
    if (place.known())
      from = fmt::format(", {} at {},", variable.empty() ? "allocated" : "declared",
                         program.sources.describe(place));
  }
  const SourcePosition place = own_position(program, terms.get(), release->edge);
  const std::string until = place.known() ? " at " + program.sources.describe(place) : "";
  return fmt::format("{}{} {}{}", name, from, on_stack ? "ended" : "was freed", until);
}

}  // namespace weir
