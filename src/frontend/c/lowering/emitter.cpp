#include "frontend/c/lowering/emitter.hpp"

namespace weir::c {

void Emitter::emit(Instruction instruction) {
  const NodeId next = new_node();
  emit(std::move(instruction), next);
  here_ = next;
}

void Emitter::emit(Instruction instruction, NodeId target) {
  graph.edges.push_back({here_, target, std::move(instruction), position_, origin_});
}

void Emitter::jump(NodeId target) { emit({.op = Opcode::kNop}, target); }

void Emitter::finish(Instruction instruction) {
  emit(std::move(instruction), here_);
  here_ = new_node();
}

ExprId Emitter::in_register(ExprId value) {
  if (build.is_leaf(value)) return value;
  const RegisterId reg = fresh(build.type(value));
  assign(reg, value);
  return value_of(reg);
}

void Emitter::assume(ExprId condition) {
  if (build.number(condition).value_or(0) == 0) emit({.op = Opcode::kAssume, .a = condition});
}

void Emitter::require(ExprId condition, std::string message) {
  if (const auto known = build.number(condition)) {
    if (*known == 0) fail(std::move(message));
    return;
  }
  emit({.op = Opcode::kAssert, .a = condition, .message = std::move(message)});
}

void Emitter::fail(std::string message) {
  finish({.op = Opcode::kAssert, .a = build.constant(0, kBool), .message = std::move(message)});
}

void Emitter::give_up(std::string reason) { finish({.op = Opcode::kHalt, .message = std::move(reason)}); }

RegisterId Emitter::load(ExprId address, Type type, AccessKind kind, RegisterId result) {
  if (!result) result = fresh(kind.copies ? kInt64 : type);
  emit({.op = Opcode::kLoad,
        .order = kind.order,
        .plain = kind.plain,
        .copies = kind.copies,
        .type = type,
        .result = result,
        .a = address});
  return result;
}

void Emitter::store(ExprId address, ExprId value, Type type, AccessKind kind) {
  emit({.op = Opcode::kStore,
        .order = kind.order,
        .plain = kind.plain,
        .copies = kind.copies,
        .type = type,
        .a = address,
        .b = value});
}

}  // namespace weir::c
