// Branches, returns, and the phis on the edges between blocks.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/error.hpp"
#include "frontend/c/lowering/function.hpp"
#include "program/analysis/liveness.hpp"

namespace weir::c {

namespace {

struct Copy {
  RegisterId to;
  ExprId from;
};

// Copies that happen all at once, one after the other: first those to registers that no other one reads, and
// where they go in a circle, one of them by way of a further register.
class ParallelCopy {
 public:
  ParallelCopy(Emitter& emitter, const Program& program, std::vector<Copy> copies)
      : emitter_(emitter), copies_(std::move(copies)), reads_(copies_.size()), done_(copies_.size()) {
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      registers_read(program, copies_[i].from, reads_[i]);
      targets_[copies_[i].to] = {i, 0};
    }
    for (std::size_t i = 0; i < copies_.size(); ++i) count_reads(i, +1);
  }

  void emit() {
    for (const auto& [reg, target] : targets_)
      if (target.readers == 0) ready_.push_back(target.copy);
    emit_ready();
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      if (done_[i]) continue;
      break_circle(i);
      emit_ready();
    }
  }

 private:
  struct Target {
    std::size_t copy = 0;  // that writes it
    int readers = 0;       // other copies that are still to read it
  };

  // A copy does not stand in its own way.
  void count_reads(std::size_t i, int change) {
    for (const RegisterId reg : reads_[i]) {
      const auto target = targets_.find(reg);
      if (target == targets_.end() || target->second.copy == i) continue;
      target->second.readers += change;
      if (change < 0 && target->second.readers == 0) ready_.push_back(target->second.copy);
    }
  }

  void emit_ready() {
    while (!ready_.empty()) {
      const std::size_t i = ready_.back();
      ready_.pop_back();
      if (done_[i]) continue;
      done_[i] = true;
      emitter_.assign(copies_[i].to, copies_[i].from);
      count_reads(i, -1);
    }
  }

  void break_circle(std::size_t i) {
    const RegisterId saved = emitter_.fresh(emitter_.graph.registers[copies_[i].to.index()].type);
    emitter_.assign(saved, copies_[i].from);
    count_reads(i, -1);
    reads_[i].clear();
    copies_[i].from = emitter_.value_of(saved);
  }

  Emitter& emitter_;
  std::vector<Copy> copies_;
  std::vector<std::vector<RegisterId>> reads_;
  std::map<RegisterId, Target> targets_;
  std::vector<std::size_t> ready_;
  std::vector<bool> done_;
};

}  // namespace

void FunctionLowering::lower_terminator(const llvm::Instruction& terminator) {
  using llvm::Instruction;
  switch (terminator.getOpcode()) {
    case Instruction::Br: return lower_branch(llvm::cast<llvm::BranchInst>(terminator));
    case Instruction::Switch: return lower_switch(llvm::cast<llvm::SwitchInst>(terminator));
    case Instruction::IndirectBr: return lower_indirect_branch(llvm::cast<llvm::IndirectBrInst>(terminator));
    case Instruction::Ret: return lower_return(llvm::cast<llvm::ReturnInst>(terminator));
    case Instruction::Unreachable: return emitter.fail("reaches unreachable code (undefined behaviour)");
    default: complain(fmt::format("`{}` is not supported here", terminator.getOpcodeName())); emitter.halt();
  }
}

// The phis of `to`, all at once, and then the jump.
void FunctionLowering::follow(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  std::vector<Copy> copies;
  const auto add = [&](const Scalars& targets, const Scalars& sources) {
    for (std::size_t i = 0; i < targets.size() && i < sources.size(); ++i) {
      if (targets[i] == sources[i]) continue;
      const Expression& source_expression = module.program.expression(sources[i]);
      const RegisterId target = module.program.expression(targets[i]).reg;
      if (source_expression.op == ExprOp::kRegister && source_expression.reg == target) continue;
      copies.push_back({target, sources[i]});
    }
  };
  for (const llvm::PHINode& phi : to.phis()) {
    const auto targets = values_.find(&phi);
    if (targets == values_.end()) continue;
    const llvm::Value& incoming = *phi.getIncomingValueForBlock(&from);
    if (plan.used(phi)) add(targets->second, value(incoming));
    if (const auto shadows = shadows_.find(&phi); shadows != shadows_.end())
      add(shadows->second, shadow(incoming));
  }
  ParallelCopy(emitter, module.program, std::move(copies)).emit();
  emitter.jump(nodes_[&to]);
}

void FunctionLowering::lower_branch(const llvm::BranchInst& branch) {
  if (branch.isUnconditional()) return follow(*block_, *branch.getSuccessor(0));
  const ExprId condition = use(*branch.getCondition());
  if (const auto known = build.number(condition))
    return follow(*block_, *branch.getSuccessor(*known != 0 ? 0 : 1));
  const NodeId yes = emitter.new_node(), no = emitter.new_node();
  emitter.emit({.op = Opcode::kAssume, .a = condition}, yes);
  emitter.emit({.op = Opcode::kAssume, .a = build.negation(condition)}, no);
  emitter.continue_at(yes);
  follow(*block_, *branch.getSuccessor(0));
  emitter.continue_at(no);
  follow(*block_, *branch.getSuccessor(1));
}

// Runs of numbers are tested by their ends; the tests form a balanced tree.
ExprId FunctionLowering::any_of(ExprId tested, const std::vector<Value>& constants) {
  std::vector<ExprId> tests;
  const Type type = build.type(tested);
  for (std::size_t i = 0; i < constants.size();) {
    std::size_t end = i + 1;
    while (end < constants.size() && constants[end] == constants[end - 1] + 1) ++end;
    const ExprId low = build.constant(constants[i], type), high = build.constant(constants[end - 1], type);
    if (end - i <= 2) {
      for (std::size_t k = i; k < end; ++k)
        tests.push_back(build.compare(ExprOp::kEq, tested, build.constant(constants[k], type)));
    } else {
      tests.push_back(
          build.both(build.compare(ExprOp::kGe, tested, low), build.compare(ExprOp::kLe, tested, high)));
    }
    i = end;
  }
  while (tests.size() > 1) {
    std::vector<ExprId> pairs;
    for (std::size_t i = 0; i + 1 < tests.size(); i += 2)
      pairs.push_back(build.either(tests[i], tests[i + 1]));
    if (tests.size() % 2 == 1) pairs.push_back(tests.back());
    tests = std::move(pairs);
  }
  return tests.empty() ? build.constant(0, kBool) : tests.front();
}

void FunctionLowering::lower_switch(const llvm::SwitchInst& choice) {
  const ExprId tested = emitter.in_register(use(*choice.getCondition()));
  std::vector<const llvm::BasicBlock*> order;
  std::map<const llvm::BasicBlock*, std::vector<Value>> groups;
  std::vector<Value> all;
  for (const auto& one : choice.cases()) {
    const llvm::BasicBlock* target = one.getCaseSuccessor();
    if (target == choice.getDefaultDest()) continue;
    const auto number = module.globals.number(*one.getCaseValue());
    if (!number) return unsupported(choice, "a switch over values of this type is not supported");
    if (groups[target].empty()) order.push_back(target);
    groups[target].push_back(*number);
    all.push_back(*number);
  }
  if (const auto known = build.number(tested)) {
    for (const auto& [target, numbers] : groups)
      if (std::find(numbers.begin(), numbers.end(), *known) != numbers.end()) return follow(*block_, *target);
    return follow(*block_, *choice.getDefaultDest());
  }
  const NodeId start = emitter.here();
  const auto edge = [&](ExprId condition, const llvm::BasicBlock& target) {
    const NodeId node = emitter.new_node();
    emitter.continue_at(start);
    emitter.emit({.op = Opcode::kAssume, .a = condition}, node);
    emitter.continue_at(node);
    follow(*block_, target);
  };
  for (const llvm::BasicBlock* target : order) {
    std::sort(groups[target].begin(), groups[target].end());
    edge(any_of(tested, groups[target]), *target);
  }
  std::sort(all.begin(), all.end());
  edge(build.negation(any_of(tested, all)), *choice.getDefaultDest());
}

// A computed goto: the labels that it can lead to have numbers.
void FunctionLowering::lower_indirect_branch(const llvm::IndirectBrInst& branch) {
  const ExprId target = emitter.in_register(use(*branch.getAddress()));
  const NodeId start = emitter.here();
  ExprId none = build.constant(1, kBool);
  for (unsigned i = 0; i < branch.getNumDestinations(); ++i) {
    const llvm::BasicBlock* block = branch.getDestination(i);
    const llvm::BlockAddress* label = llvm::BlockAddress::lookup(block);
    if (label == nullptr) continue;
    const auto number = module.globals.number(*label);
    const NodeId node = emitter.new_node();
    emitter.continue_at(start);
    const ExprId here = build.compare(ExprOp::kEq, target, build.constant(*number, kAddress));
    emitter.emit({.op = Opcode::kAssume, .a = here}, node);
    none = build.both(none, build.negation(here));
    emitter.continue_at(node);
    follow(*block_, *block);
  }
  emitter.continue_at(start);
  emitter.assume(none);
  emitter.fail("jumps to an address that is no label");
}

void FunctionLowering::lower_return(const llvm::ReturnInst& result) {
  ExprId returned;
  if (const llvm::Value* operand = result.getReturnValue()) {
    // A function may end without a value as long as nobody looks at it.
    const Scalars parts = value(*operand);
    if (result_address_) {
      const auto places = *leaves(operand->getType());
      for (std::size_t i = 0; i < places.size() && i < parts.size(); ++i)
        emitter.store(build.plus(emitter.value_of(result_address_), static_cast<Value>(places[i].offset)),
                      as_stored(parts[i], *places[i].type), *cell_type(places[i].type, data()), {});
    } else if (leaves(operand->getType()) && !parts.empty()) {
      returned = parts.front();
    } else {
      complain("a function returns a value of a type that is not supported");
    }
  }
  release_stack_blocks();
  emitter.finish({.op = Opcode::kReturn, .a = returned});
}

}  // namespace weir::c
