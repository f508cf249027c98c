#include "engine/rewriting/inlining.hpp"

#include <absl/container/flat_hash_map.h>
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/fault.hpp"
#include "program/expressions.hpp"

namespace weir {

namespace {

constexpr std::size_t kMostLocations = 100'000;

bool is_call(const Edge& edge) { return edge.instruction.op == Opcode::kCall; }

// Per function: it can be copied to where it is called.
std::vector<bool> find_plain_functions(const Program& program) {
  std::vector<bool> plain(program.functions.size(), true);
  std::vector<std::vector<std::size_t>> callees(program.functions.size());
  for (std::size_t f = 0; f < program.functions.size(); ++f) plain[f] = program.functions[f].privates.empty();
  for (const Edge& edge : program.edges) {
    const std::size_t caller = program.location(edge.source).function.index();
    if (is_call(edge)) callees[caller].push_back(edge.instruction.callee.index());
    if (edge.instruction.op == Opcode::kAllocate && edge.instruction.block == BlockKind::kStack)
      plain[caller] = false;
  }
  // Those are left that have calls to plain ones only, in finitely many steps: whoever calls itself is not.
  std::vector<bool> settled(program.functions.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t f = 0; f < plain.size(); ++f) {
      if (settled[f] || !plain[f]) continue;
      settled[f] = std::ranges::all_of(callees[f], [&](std::size_t g) { return settled[g]; });
      changed |= settled[f];
    }
  }
  return settled;
}

}  // namespace

class InlinedProgram::Inliner {
 public:
  Inliner(Program& program, std::vector<EdgeId>& origins)
      : program_(program), origins_(origins), plain_(find_plain_functions(program)) {}

  // In the functions that threads run; edges that are added come later, so calls of callees are met, too.
  void run() {
    std::vector<bool> runs(program_.functions.size(), false);
    for (const Thread& thread : program_.threads) runs[thread.function.index()] = true;
    for (std::size_t e = 0; e < program_.edges.size() && program_.locations.size() < kMostLocations; ++e) {
      const Edge& edge = program_.edges[e];
      if (is_call(edge) && runs[program_.location(edge.source).function.index()] &&
          plain_[edge.instruction.callee.index()])
        inline_call(EdgeId(e));
    }
  }

 private:
  void inline_call(EdgeId id) {
    const Edge call = program_.edge(id);
    caller_ = program_.location(call.source).function;
    callee_ = call.instruction.callee;
    copies_.clear();
    add_registers();
    const LocationId entry = enter(id, call);
    places_.clear();
    places_[program_.function(callee_).entry] = entry;
    copy_body(call);
  }

  // The registers of the callee, behind those of the caller.
  void add_registers() {
    first_register_ = program_.function(caller_).registers.size();
    const std::vector<Register> registers = program_.function(callee_).registers;
    for (const Register& each : registers)
      program_.add_register(caller_, fmt::format("{}_{}", each.name, first_register_), each.type,
                            each.initial);
  }

  RegisterId copy_of(RegisterId reg) const { return RegisterId(first_register_ + reg.index()); }

  // The call becomes the assignments of arguments and initial values. Arguments speak of the caller's registers only.
  LocationId enter(EdgeId id, const Edge& call) {
    const Function& callee = program_.function(callee_);
    const std::size_t parameters = callee.parameter_count;
    std::vector<Instruction> assignments;
    for (std::size_t r = 0; r < callee.registers.size(); ++r) {
      const Register& reg = callee.registers[r];
      const ExprId value =
          r < parameters ? call.instruction.arguments[r] : program_.constant(reg.initial, reg.type);
      assignments.push_back({.op = Opcode::kAssign, .result = copy_of(RegisterId(r)), .a = value});
    }
    if (assignments.empty()) assignments.emplace_back();
    Edge& first = program_.edges[id.index()];
    first.instruction = assignments.front();
    LocationId at = program_.add_location(caller_, {}, call.position);
    program_.edges[id.index()].target = at;
    for (std::size_t i = 1; i < assignments.size(); ++i) {
      const LocationId next = program_.add_location(caller_, {}, call.position);
      add_edge(at, next, std::move(assignments[i]), call.position, EdgeId::none());
      at = next;
    }
    return at;
  }

  void copy_body(const Edge& call) {
    std::vector<LocationId> pending{program_.function(callee_).entry};
    for (std::size_t i = 0; i < pending.size(); ++i) {
      const std::vector<EdgeId> leaving = program_.location(pending[i]).edges;
      for (const EdgeId id : leaving) {
        const Edge edge = program_.edge(id);
        const EdgeId origin = origins_[id.index()];
        if (edge.instruction.op == Opcode::kReturn) {
          add_edge(places_[pending[i]], call.target, leave(edge.instruction, call.instruction), edge.position,
                   origin);
          continue;
        }
        if (!places_.contains(edge.target)) {
          places_[edge.target] = program_.add_location(caller_, {}, program_.location(edge.target).position);
          pending.push_back(edge.target);
        }
        add_edge(places_[pending[i]], places_[edge.target], copy_of(edge.instruction), edge.position, origin);
      }
    }
  }

  // A value that nobody wants is computed all the same: that may fail.
  Instruction leave(const Instruction& returns, const Instruction& call) {
    if (!returns.a || fault("lost-result")) return {};
    RegisterId result = call.result;
    if (!result) {
      if (!divides(returns.a)) return {};
      result = program_.add_register(caller_, "unused", program_.expression(returns.a).type);
    }
    return {.op = Opcode::kAssign, .result = result, .a = copy_of(returns.a)};
  }

  bool divides(ExprId id) const {
    bool found = false;
    for_each_subexpression(
        program_, id, [&](const Expression& e) { found |= e.op == ExprOp::kDiv || e.op == ExprOp::kRem; });
    return found;
  }

  Instruction copy_of(Instruction instruction) {
    if (instruction.result) instruction.result = copy_of(instruction.result);
    for (ExprId* part : {&instruction.a, &instruction.b, &instruction.c}) *part = copy_of(*part);
    for (ExprId& argument : instruction.arguments) argument = copy_of(argument);
    return instruction;
  }

  ExprId copy_of(ExprId id) {
    if (!id) return id;
    if (const auto known = copies_.find(id); known != copies_.end()) return known->second;
    Expression e = program_.expression(id);
    for (ExprId* part : {&e.a, &e.b, &e.c}) *part = copy_of(*part);
    if (e.op == ExprOp::kRegister) e.reg = copy_of(e.reg);
    return copies_[id] = program_.add_expression(e);
  }

  void add_edge(LocationId from, LocationId to, Instruction instruction, SourcePosition position,
                EdgeId origin) {
    program_.add_edge(from, to, std::move(instruction), position);
    origins_.push_back(origin);
  }

  Program& program_;
  std::vector<EdgeId>& origins_;
  const std::vector<bool> plain_;
  FunctionId caller_, callee_;
  std::size_t first_register_ = 0;
  absl::flat_hash_map<LocationId, LocationId> places_;
  absl::flat_hash_map<ExprId, ExprId> copies_;
};

InlinedProgram::InlinedProgram(const Program& original) : original_(original), program_(original) {
  for (std::size_t e = 0; e < original.edges.size(); ++e) origins_.emplace_back(e);
  Inliner(program_, origins_).run();
}

Witness InlinedProgram::original_witness(Witness witness) const {
  std::vector<WitnessStep> steps;
  for (WitnessStep step : witness.steps) {
    const EdgeId origin = origins_[step.edge.index()];
    if (!origin) continue;
    const Opcode op = original_.edge(origin).instruction.op;
    if (op == Opcode::kCall || op == Opcode::kReturn) step.value = 0;  // of an assignment
    step.edge = origin;
    steps.push_back(step);
  }
  witness.steps = std::move(steps);
  return witness;
}

}  // namespace weir
