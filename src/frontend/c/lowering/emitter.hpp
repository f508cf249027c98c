// Writing the graph of a function: one instruction after the other, from the node where the last one led.
#pragma once

#include <string>

#include "frontend/c/instructions/expressions.hpp"
#include "frontend/c/lowering/graph.hpp"
#include "program/program.hpp"

namespace weir::c {

// How a cell is accessed.
struct AccessKind {
  Order order = Order::kRelaxed;
  bool plain = true;    // not atomic
  bool copies = false;  // as it is, even if it is uninitialised
};

class Emitter {
 public:
  explicit Emitter(Program& program) : build(program) {
    graph.entry = graph.add_node();
    here_ = graph.entry;
  }

  Expressions build;
  Graph graph;

  // What follows stands there in the source; an unknown position changes nothing.
  void at(SourcePosition position) {
    if (position.known()) position_ = position;
  }
  void at_no_place() { position_ = {}; }
  // What follows is what becomes of this instruction.
  void for_instruction(const llvm::Instruction* origin) { origin_ = origin; }
  SourcePosition position() const { return position_; }

  NodeId here() const { return here_; }
  NodeId new_node() { return graph.add_node(); }
  void continue_at(NodeId node) { here_ = node; }

  void emit(Instruction instruction);                 // and go on behind it
  void emit(Instruction instruction, NodeId target);  // and stay here: there may be other ways
  void jump(NodeId target);
  // Nothing follows; what is emitted next is unreachable.
  void finish(Instruction instruction);

  RegisterId fresh(Type type, std::string name = {}) { return graph.add_register(std::move(name), type); }
  ExprId value_of(RegisterId reg) { return build.reg(reg, graph.registers[reg.index()].type); }
  void assign(RegisterId reg, ExprId value) { emit({.op = Opcode::kAssign, .result = reg, .a = value}); }
  // In a register of its own, unless it is as good as one.
  ExprId in_register(ExprId value);

  void assume(ExprId condition);
  void require(ExprId condition, std::string message);
  void fail(std::string message);    // a violation
  void give_up(std::string reason);  // what follows is left out
  void halt() { finish({.op = Opcode::kHalt}); }
  void halt_unassumed() { finish({.op = Opcode::kHalt, .waits = true}); }

  RegisterId load(ExprId address, Type type, AccessKind kind, RegisterId result = {});
  void store(ExprId address, ExprId value, Type type, AccessKind kind);

  // if (condition) body();
  template <class Body>
  void when(ExprId condition, Body body) {
    const auto known = build.number(condition);
    if (known && *known == 0) return;
    if (known) return body();
    const NodeId inside = new_node(), after = new_node();
    emit({.op = Opcode::kAssume, .a = condition}, inside);
    emit({.op = Opcode::kAssume, .a = build.negation(condition)}, after);
    continue_at(inside);
    body();
    jump(after);
    continue_at(after);
  }

  // for (counter = 0; counter < count; ++counter) body(counter);
  template <class Body>
  void repeat(ExprId count, Body body) {
    const RegisterId counter = fresh(kAddress);
    assign(counter, build.address(0));
    const NodeId test = new_node(), inside = new_node(), after = new_node();
    jump(test);
    continue_at(test);
    const ExprId more = build.compare(ExprOp::kLt, value_of(counter), count);
    emit({.op = Opcode::kAssume, .a = more}, inside);
    emit({.op = Opcode::kAssume, .a = build.negation(more)}, after);
    continue_at(inside);
    body(value_of(counter));
    assign(counter, build.plus(value_of(counter), 1));
    jump(test);
    continue_at(after);
  }

 private:
  NodeId here_;
  SourcePosition position_;
  const llvm::Instruction* origin_ = nullptr;
};

}  // namespace weir::c
