// The classic backward data-flow analysis, iterated to its fix point over the edges of each function with a
// work list of locations. Cost: edges times registers.
#include "program/analysis/liveness.hpp"

#include "base/fault.hpp"
#include "program/expressions.hpp"

namespace weir {

namespace {

// Does its thread go on at the edge's target?
bool goes_on(const Instruction& instruction) {
  return instruction.op != Opcode::kReturn && instruction.op != Opcode::kStop &&
         instruction.op != Opcode::kHalt;
}

}  // namespace

void registers_read(const Program& program, ExprId expression, std::vector<RegisterId>& out) {
  for_each_subexpression(program, expression, [&](const Expression& e) {
    if (e.op == ExprOp::kRegister) out.push_back(e.reg);
  });
}

std::vector<RegisterId> registers_read(const Program& program, const Instruction& instruction) {
  std::vector<RegisterId> out;
  registers_read(program, instruction.a, out);
  registers_read(program, instruction.b, out);
  if (!fault("forgotten-register")) registers_read(program, instruction.c, out);
  for (const ExprId id : instruction.arguments) registers_read(program, id, out);
  return out;
}

LiveRegisters::LiveRegisters(const Program& program) : live_(program.locations.size()) {
  std::vector<std::vector<LocationId>> predecessors(program.locations.size());
  for (const Edge& edge : program.edges)
    if (goes_on(edge.instruction)) predecessors[edge.target.index()].push_back(edge.source);

  std::vector<LocationId> pending;
  for (std::size_t i = 0; i < program.locations.size(); ++i) {
    live_[i].resize(program.function(program.locations[i].function).registers.size());
    pending.push_back(LocationId(i));
  }
  while (!pending.empty()) {
    const LocationId location = pending.back();
    pending.pop_back();
    std::vector<bool> now(live_[location.index()].size());
    for (const EdgeId id : program.location(location).edges) {
      const Edge& edge = program.edge(id);
      const Instruction& instruction = edge.instruction;
      if (goes_on(instruction)) {
        const std::vector<bool>& after = live_[edge.target.index()];
        for (std::size_t r = 0; r < now.size(); ++r)
          if (after[r] && RegisterId(r) != instruction.result) now[r] = true;
      }
      for (const RegisterId reg : registers_read(program, instruction)) now[reg.index()] = true;
    }
    if (now == live_[location.index()]) continue;
    live_[location.index()] = std::move(now);
    const auto& before = predecessors[location.index()];
    pending.insert(pending.end(), before.begin(), before.end());
  }
}

}  // namespace weir
