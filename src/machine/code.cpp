#include "machine/code.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "machine/action.hpp"
#include "machine/evaluate.hpp"
#include "program/address.hpp"
#include "program/expressions.hpp"

namespace weir {

namespace {

bool is_unary(ExprOp op) {
  switch (op) {
    case ExprOp::kNegate:
    case ExprOp::kBitNot:
    case ExprOp::kLogicalNot:
    case ExprOp::kCast:
    case ExprOp::kFloatToInt:
    case ExprOp::kIntToFloat:
    case ExprOp::kFloatToFloat: return true;
    default: return false;
  }
}

// Does the address show that it is in the private memory of the innermost activation, if within its bounds?
bool is_access_to_frame(const Program& program, const Instruction& instruction) {
  if (program.open_memory) return false;
  const bool load = instruction.op == Opcode::kLoad && instruction.result && !instruction.waits;
  if ((!load && instruction.op != Opcode::kStore) || instruction.copies || is_locked(instruction))
    return false;
  const Expression* address = &program.expression(instruction.a);
  while (address->op == ExprOp::kAdd) address = &program.expression(address->a);
  return address->op == ExprOp::kFrame;
}

}  // namespace

bool knows_self(const Program& program) {
  return std::ranges::any_of(program.expressions,
                             [](const Expression& e) { return e.op == ExprOp::kSelf; }) ||
         std::ranges::any_of(program.edges,
                             [](const Edge& e) { return e.instruction.op == Opcode::kAllocate; });
}

Code::Code(const Program& program)
    : program_(program),
      live_(program),
      expressions_(program.expressions.size()),
      plans_(program.locations.size()) {
  for (const Edge& edge : program.edges) {
    const Instruction& instruction = edge.instruction;
    for (const ExprId id : {instruction.a, instruction.b, instruction.c})
      if (id) compile(id);
    for (const ExprId id : instruction.arguments) compile(id);
    if (instruction.op == Opcode::kAllocate) note_size(instruction);
  }
  for (std::size_t i = 0; i < program.locations.size(); ++i) plan_location(LocationId(i));
  for (const Function& function : program.functions) lay_out(function);
  for (std::size_t o = 0; o < program.objects.size(); ++o) {
    const SharedObject& object = program.objects[o];
    for (std::size_t k = 0; k < object.initial.size(); ++k)
      objects_.emplace(object.base + static_cast<Value>(k) * object.stride, ObjectId(o));
  }
  knows_self_ = weir::knows_self(program);
}

void Code::note_size(const Instruction& allocation) {
  allocates_ = true;
  const Expression& size = program_.expression(allocation.a);
  if (size.op == ExprOp::kConstant)
    block_sizes_.emplace(allocation.block, size.constant);
  else
    any_size_[static_cast<std::size_t>(allocation.block)] = true;
}

std::optional<Value> Code::cell_around(Value byte) const {
  constexpr std::uint64_t kLargestCell = 8;
  for (std::uint64_t distance = 0; distance < kLargestCell; ++distance) {
    // Any number can be an address, also the smallest: the difference wraps.
    const auto address = static_cast<Value>(static_cast<std::uint64_t>(byte) - distance);
    const ObjectId id = object_at(address);
    if (id) return distance < bytes_of(program_.object(id).type) ? std::optional(address) : std::nullopt;
  }
  return std::nullopt;
}

void Code::lay_out(const Function& function) {
  std::uint64_t bytes = 0;
  for (const PrivateObject& object : function.privates) bytes = std::max(bytes, object.offset + object.size);
  Frame frame;
  frame.private_begin = function.registers.size();
  frame.mask_begin = frame.private_begin + (bytes + 7) / 8;
  frame.words = frame.mask_begin + (bytes + 63) / 64;
  frames_.push_back(frame);
}

void Code::plan_location(LocationId location) {
  const std::vector<EdgeId>& edges = program_.location(location).edges;
  LocationPlan& plan = plans_[location.index()];
  if (edges.size() == 1) {
    const Edge& edge = program_.edge(edges[0]);
    const Instruction& instruction = edge.instruction;
    if (is_access_to_frame(program_, instruction)) return plan_access(plan, edges[0]);
    if (instruction.op != Opcode::kNop && instruction.op != Opcode::kAssign) return;
    plan = {.kind = LocationPlan::Kind::kNop, .edge = edges[0], .target = edge.target};
    if (instruction.op == Opcode::kNop) return;
    plan.kind = LocationPlan::Kind::kAssign;
    plan.result = instruction.result;
    plan.expression = instruction.a;
    plan.type = program_.function(program_.location(location).function).registers[plan.result.index()].type;
  } else if (edges.size() == 2) {
    const Instruction& first = program_.edge(edges[0]).instruction;
    const Instruction& second = program_.edge(edges[1]).instruction;
    if (first.op != Opcode::kAssume || second.op != Opcode::kAssume) return;
    if (complementary(program_, first.a, second.a)) plan_branch(plan, edges[0], edges[1]);
  }
}

void Code::plan_access(LocationPlan& plan, EdgeId id) const {
  const Edge& edge = program_.edge(id);
  const Instruction& instruction = edge.instruction;
  plan = {.kind = LocationPlan::Kind::kPrivateStore,
          .access = instruction.type,
          .expression = instruction.a,
          .stored = instruction.b,
          .edge = id,
          .target = edge.target};
  if (instruction.op == Opcode::kStore) return;
  plan.kind = LocationPlan::Kind::kPrivateLoad;
  plan.result = instruction.result;
  plan.type = program_.function(program_.location(edge.source).function).registers[plan.result.index()].type;
}

void Code::plan_branch(LocationPlan& plan, EdgeId yes, EdgeId no) const {
  plan = {.kind = LocationPlan::Kind::kBranch,
          .expression = program_.edge(yes).instruction.a,
          .edge = yes,
          .other = no,
          .target = program_.edge(yes).target,
          .other_target = program_.edge(no).target};
}

// --- Compiling expressions

void Code::compile(ExprId expression) {
  ExpressionCode& code = expressions_[expression.index()];
  if (code.end != 0)
    return;  // shared by several instructions; an expression without operations is cheap again
  next_temporary_ = 0;
  const auto first = static_cast<std::uint32_t>(operations_.size());
  const Operand result = compile_part(expression);
  expressions_[expression.index()] = {first, static_cast<std::uint32_t>(operations_.size()), result};
  temporaries_ = std::max(temporaries_, next_temporary_);
}

Operand Code::constant(Value value) {
  constants_.push_back(value);
  return {Operand::kConstant, static_cast<std::uint32_t>(constants_.size() - 1)};
}

std::uint32_t Code::emit(Operation operation) {
  operations_.push_back(operation);
  return static_cast<std::uint32_t>(operations_.size() - 1);
}

Operand Code::compile_part(ExprId id) {
  const Expression& e = program_.expression(id);
  switch (e.op) {
    case ExprOp::kConstant: return constant(e.constant);
    case ExprOp::kRegister: return {Operand::kRegister, static_cast<std::uint32_t>(e.reg.index())};
    case ExprOp::kSelf: return {Operand::kSpecial, kSelfValue};
    case ExprOp::kLogicalAnd:
    case ExprOp::kLogicalOr:
    case ExprOp::kSelect: return compile_lazy(e);
    case ExprOp::kSharedCell:
    case ExprOp::kThreadRegister: WEIR_CHECK(false, "code reads registers only"); return {};
    default: break;
  }
  Operation operation{.op = e.op, .unary = is_unary(e.op), .type = e.type};
  if (e.op == ExprOp::kFrame) {
    operation.op = ExprOp::kAdd;
    operation.a = {Operand::kSpecial, kFrameAddress};
    operation.b = constant(e.constant);
  } else {
    operation.operand_type = program_.expression(e.a).type;
    operation.a = compile_part(e.a);
    if (!operation.unary) operation.b = compile_part(e.b);
  }
  operation.temporary = static_cast<std::uint32_t>(next_temporary_++);
  emit(operation);
  return {Operand::kTemporary, operation.temporary};
}

// a && b: if a is zero the result is 0, else it is whether b is. a || b: likewise. a ? b : c.
Operand Code::compile_lazy(const Expression& e) {
  using Control = Operation::Control;
  const auto result = static_cast<std::uint32_t>(next_temporary_++);
  const auto set = [&](Operand value, bool as_truth) {
    if (as_truth)
      emit({.op = ExprOp::kNe, .type = e.type, .a = value, .b = constant(0), .temporary = result});
    else
      emit({.control = Control::kMove, .a = value, .temporary = result});
  };
  const bool select = e.op == ExprOp::kSelect;
  const Operand a = compile_part(e.a);
  const std::uint32_t branch = emit({.control = Control::kJumpIfZero, .a = a});
  if (e.op == ExprOp::kLogicalOr)
    set(constant(wrap(1, e.type)), false);
  else
    set(compile_part(e.b), !select);
  const std::uint32_t leave = emit({.control = Control::kJump});
  operations_[branch].target = leave + 1;
  if (e.op == ExprOp::kLogicalAnd)
    set(constant(0), false);
  else
    set(compile_part(select ? e.c : e.b), !select);
  operations_[leave].target = static_cast<std::uint32_t>(operations_.size());
  return {Operand::kTemporary, result};
}

// --- Evaluating

namespace {

// The operators that make up most of a program; false for the others.
inline bool apply_common(const Operation& operation, Value a, Value b, Value& result) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  switch (operation.op) {
    case ExprOp::kAdd: result = wrap(ua + ub, operation.type); return true;
    case ExprOp::kSub: result = wrap(ua - ub, operation.type); return true;
    case ExprOp::kMul: result = wrap(ua * ub, operation.type); return true;
    case ExprOp::kBitAnd: result = wrap(ua & ub, operation.type); return true;
    case ExprOp::kBitOr: result = wrap(ua | ub, operation.type); return true;
    case ExprOp::kBitXor: result = wrap(ua ^ ub, operation.type); return true;
    case ExprOp::kShl: result = ub >= operation.type.bits ? 0 : wrap(ua << ub, operation.type); return true;
    case ExprOp::kShr: result = shift_right(a, ub, operation.type); return true;
    case ExprOp::kCast: result = wrap(ua, operation.type); return true;
    case ExprOp::kEq: result = wrap(a == b, operation.type); return true;
    case ExprOp::kNe: result = wrap(a != b, operation.type); return true;
    case ExprOp::kLogicalNot: result = wrap(a == 0, operation.type); return true;
    case ExprOp::kLt: result = wrap(less(a, b, operation.operand_type), operation.type); return true;
    case ExprOp::kLe: result = wrap(!less(b, a, operation.operand_type), operation.type); return true;
    case ExprOp::kGt: result = wrap(less(b, a, operation.operand_type), operation.type); return true;
    case ExprOp::kGe: result = wrap(!less(a, b, operation.operand_type), operation.type); return true;
    default: return false;
  }
}

}  // namespace

bool Code::execute(const ExpressionCode& code, const Operands& operands) const {
  const Operation* const operations = operations_.data();
  for (std::uint32_t i = code.first; i < code.end;) {
    const Operation& operation = operations[i++];
    const Value a = operands[operation.a];
    Value& to = operands.temporaries[operation.temporary];
    if (operation.control != Operation::Control::kNone) {
      const bool jumps = operation.control == Operation::Control::kJump ||
                         (operation.control == Operation::Control::kJumpIfZero && a == 0);
      if (operation.control == Operation::Control::kMove) to = a;
      if (jumps) i = operation.target;
      continue;
    }
    const Value b = operands[operation.b];
    if (apply_common(operation, a, b, to)) continue;
    const std::optional<Value> value =
        operation.unary ? apply_unary(operation.op, a, operation.operand_type, operation.type)
                        : apply_binary(operation.op, a, b, operation.operand_type, operation.type);
    if (!value) return false;
    to = *value;
  }
  return true;
}

}  // namespace weir
