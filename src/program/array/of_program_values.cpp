// A fixed point: every instruction is tried with all values that its registers may have so far. Registers are
// taken to be independent, which may give values that never occur, but leaves none out.
#include "program/array/of_program_values.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "program/expressions.hpp"

namespace weir::array {

namespace {

constexpr std::size_t kMostValues = 32;       // of one register or cell
constexpr std::size_t kMostValuations = 512;  // of the registers of one instruction

std::uint64_t bits_of(Value value) { return static_cast<std::uint64_t>(value); }

bool less(Value a, Value b, Type type) { return type.is_signed ? a < b : bits_of(a) < bits_of(b); }

bool supported(ExprOp op) {
  switch (op) {
    case ExprOp::kConstant:
    case ExprOp::kRegister:
    case ExprOp::kNegate:
    case ExprOp::kBitNot:
    case ExprOp::kLogicalNot:
    case ExprOp::kCast:
    case ExprOp::kAdd:
    case ExprOp::kSub:
    case ExprOp::kMul:
    case ExprOp::kBitAnd:
    case ExprOp::kBitOr:
    case ExprOp::kBitXor:
    case ExprOp::kEq:
    case ExprOp::kNe:
    case ExprOp::kLt:
    case ExprOp::kLe:
    case ExprOp::kGt:
    case ExprOp::kGe:
    case ExprOp::kLogicalAnd:
    case ExprOp::kLogicalOr:
    case ExprOp::kSelect: return true;
    default: return false;
  }
}

bool supported(RmwOp op) {
  return op == RmwOp::kExchange || op == RmwOp::kAdd || op == RmwOp::kSub || op == RmwOp::kCompareExchange;
}

}  // namespace

// Expressions.

Value ProgramValues::evaluate(ExprId expression, const Valuation& valuation) const {
  const Expression& e = program_.expression(expression);
  const auto operand = [&](ExprId id) { return evaluate(id, valuation); };
  const auto result = [&]() -> std::uint64_t {
    switch (e.op) {
      case ExprOp::kConstant: return bits_of(e.constant);
      case ExprOp::kRegister: return bits_of(valuation.at(e.reg));
      case ExprOp::kNegate: return 0 - bits_of(operand(e.a));
      case ExprOp::kBitNot: return ~bits_of(operand(e.a));
      case ExprOp::kLogicalNot: return operand(e.a) == 0 ? 1 : 0;
      case ExprOp::kCast: return bits_of(operand(e.a));
      case ExprOp::kLogicalAnd: return operand(e.a) != 0 && operand(e.b) != 0 ? 1 : 0;
      case ExprOp::kLogicalOr: return operand(e.a) != 0 || operand(e.b) != 0 ? 1 : 0;
      case ExprOp::kSelect: return bits_of(operand(operand(e.a) != 0 ? e.b : e.c));
      default: break;
    }
    const Value a = operand(e.a), b = operand(e.b);
    const Type compared = program_.expression(e.a).type;
    switch (e.op) {
      case ExprOp::kAdd: return bits_of(a) + bits_of(b);
      case ExprOp::kSub: return bits_of(a) - bits_of(b);
      case ExprOp::kMul: return bits_of(a) * bits_of(b);
      case ExprOp::kBitAnd: return bits_of(a) & bits_of(b);
      case ExprOp::kBitOr: return bits_of(a) | bits_of(b);
      case ExprOp::kBitXor: return bits_of(a) ^ bits_of(b);
      case ExprOp::kEq: return a == b ? 1 : 0;
      case ExprOp::kNe: return a != b ? 1 : 0;
      case ExprOp::kLt: return less(a, b, compared) ? 1 : 0;
      case ExprOp::kLe: return less(b, a, compared) ? 0 : 1;
      case ExprOp::kGt: return less(b, a, compared) ? 1 : 0;
      case ExprOp::kGe: return less(a, b, compared) ? 0 : 1;
      default: break;
    }
    WEIR_CHECK(false, "an operator that was refused");
    return 0;
  };
  return wrap(result(), e.type);
}

Value ProgramValues::updated(const Instruction& rmw, Value address, Value old,
                             const Valuation& valuation) const {
  const Value operand = evaluate(rmw.b, valuation);
  std::uint64_t result = bits_of(operand);
  if (rmw.rmw == RmwOp::kAdd) result = bits_of(old) + bits_of(operand);
  if (rmw.rmw == RmwOp::kSub) result = bits_of(old) - bits_of(operand);
  if (rmw.rmw == RmwOp::kCompareExchange) {
    const Value expected = wrap(bits_of(evaluate(rmw.c, valuation)), rmw.type);
    if (wrap(bits_of(old), rmw.type) != expected) return old;
  }
  return wrap(bits_of(wrap(result, rmw.type)), cell_type(address));
}

std::vector<Valuation> ProgramValues::valuations(ThreadId thread,
                                                 const std::vector<ExprId>& expressions) const {
  std::set<RegisterId> used;
  for (const ExprId expression : expressions)
    for_each_subexpression(program_, expression, [&](const Expression& e) {
      if (e.op == ExprOp::kRegister) used.insert(e.reg);
    });
  std::vector<Valuation> found = {{}};
  for (const RegisterId reg : used) {
    std::vector<Valuation> extended;
    for (const Valuation& valuation : found)
      for (const Value value : of_register(thread, reg)) {
        extended.push_back(valuation);
        extended.back().emplace(reg, value);
      }
    found = std::move(extended);
  }
  return found;
}

// Cells and registers.

const std::set<Value>& ProgramValues::of_register(ThreadId thread, RegisterId reg) const {
  return registers_.at(thread.index()).at(reg.index());
}

Value ProgramValues::initial(Value address) const {
  const std::optional<ObjectId> object = program_.object_at(address);
  if (!object) return 0;
  const SharedObject& found = program_.object(*object);
  return found.initial.at(static_cast<std::size_t>((address - found.base) / found.stride));
}

Type ProgramValues::cell_type(Value address) const {
  const std::optional<ObjectId> object = program_.object_at(address);
  return object ? program_.object(*object).type : kInt64;
}

void ProgramValues::add(std::set<Value>& set, Value value) {
  if (too_many_) return;
  changed_ = set.insert(value).second || changed_;
  too_many_ = set.size() > kMostValues;
}

void ProgramValues::add_to_register(ThreadId thread, RegisterId reg, Value value) {
  if (!reg) return;
  const Function& function = program_.function(program_.thread(thread).function);
  add(registers_[thread.index()].at(reg.index()), wrap(bits_of(value), function.registers[reg.index()].type));
}

void ProgramValues::add_to_cell(Value address, Value value) {
  add(cells_.at(address), wrap(bits_of(value), cell_type(address)));
}

std::optional<std::string> ProgramValues::reach_cell(Value address, const Instruction& instruction) {
  const std::optional<ObjectId> object = program_.object_at(address);
  if (!object && !program_.open_memory) return "may access memory outside every object";
  if (instruction.type.bits != cell_type(address).bits) return "may access a cell with another width";
  if (object && program_.object(*object).constant && instruction.op != Opcode::kLoad)
    return "may write a constant";
  if (initial(address) == kUninitialised && object) return "may access an uninitialised cell";
  if (!cells_.contains(address)) {
    cells_[address];
    add_to_cell(address, initial(address));
  }
  return std::nullopt;
}

// Instructions.

std::optional<std::string> ProgramValues::refusal(ExprId expression) const {
  std::optional<std::string> reason;
  for_each_subexpression(program_, expression, [&](const Expression& e) {
    if (!supported(e.op)) reason = "computes what an array system cannot";
  });
  return reason;
}

std::optional<std::string> ProgramValues::refusal(const Instruction& instruction) const {
  for (const ExprId expression : {instruction.a, instruction.b, instruction.c})
    if (const auto reason = refusal(expression)) return reason;
  if (instruction.copies) return "copies what may be uninitialised";
  switch (instruction.op) {
    case Opcode::kNop:
    case Opcode::kAssign:
    case Opcode::kAssume:
    case Opcode::kAssert:
    case Opcode::kLoad:
    case Opcode::kStore:
    case Opcode::kFence:
    case Opcode::kReturn:
    case Opcode::kStop: return std::nullopt;
    case Opcode::kHalt:
      if (instruction.message.empty()) return std::nullopt;
      return "leaves out what follows, which an array system cannot say";
    case Opcode::kRmw:
      if (supported(instruction.rmw)) return std::nullopt;
      return "updates memory in a way that an array system cannot";
    case Opcode::kChoose:
      if (bits_of(instruction.high) - bits_of(instruction.low) < kMostValues) return std::nullopt;
      return "chooses among too many values";
    case Opcode::kLock:
    case Opcode::kUnlock: return "uses the global lock, which an array system does not have";
    case Opcode::kAtomicBegin:
    case Opcode::kAtomicEnd: return "is part of an atomic block, which an array system does not have";
    case Opcode::kCall: return "calls a function";
    case Opcode::kAllocate:
    case Opcode::kFree: return "uses blocks of memory";
  }
  return "is not known";
}

std::optional<std::string> ProgramValues::flow_access(ThreadId thread, const Instruction& i) {
  for (const Valuation& valuation : valuations(thread, {i.a, i.b, i.c})) {
    const Value address = evaluate(i.a, valuation);
    if (const auto reason = reach_cell(address, i)) return reason;
    if (i.op == Opcode::kStore) {
      add_to_cell(address, wrap(bits_of(evaluate(i.b, valuation)), i.type));
      continue;
    }
    const std::set<Value> now = of_cell(address);
    for (const Value old : now) {
      add_to_register(thread, i.result, wrap(bits_of(old), i.type));
      if (i.op == Opcode::kRmw) add_to_cell(address, updated(i, address, old, valuation));
    }
  }
  return std::nullopt;
}

std::optional<std::string> ProgramValues::flow(ThreadId thread, const Instruction& i) {
  std::size_t combinations = 1;
  std::set<RegisterId> used;
  for (const ExprId expression : {i.a, i.b, i.c})
    for_each_subexpression(program_, expression, [&](const Expression& e) {
      if (e.op == ExprOp::kRegister && used.insert(e.reg).second)
        combinations = std::min(combinations * of_register(thread, e.reg).size(), 2 * kMostValuations);
    });
  if (combinations > kMostValuations) return "depends on too many combinations of values";
  if (i.op == Opcode::kLoad || i.op == Opcode::kStore || i.op == Opcode::kRmw) return flow_access(thread, i);
  if (i.op == Opcode::kAssign)
    for (const Valuation& valuation : valuations(thread, {i.a}))
      add_to_register(thread, i.result, evaluate(i.a, valuation));
  if (i.op == Opcode::kChoose)
    for (Value value = i.low; value <= i.high; ++value) add_to_register(thread, i.result, value);
  return std::nullopt;
}

std::optional<Diagnostic> ProgramValues::compute() {
  for (std::size_t thread = 0; thread < program_.threads.size(); ++thread) {
    const Thread& one = program_.threads[thread];
    const Function& function = program_.function(one.function);
    registers_.emplace_back(function.registers.size());
    for (std::size_t reg = 0; reg < function.registers.size(); ++reg)
      add_to_register(ThreadId(thread), RegisterId(reg),
                      reg < function.parameter_count ? one.arguments[reg] : function.registers[reg].initial);
  }
  for (changed_ = true; changed_;) {
    changed_ = false;
    for (std::size_t thread = 0; thread < program_.threads.size(); ++thread)
      for (const Edge& edge : program_.edges) {
        if (program_.location(edge.source).function != program_.threads[thread].function) continue;
        std::optional<std::string> reason = refusal(edge.instruction);
        if (!reason) reason = flow(ThreadId(thread), edge.instruction);
        if (!reason && too_many_) reason = "gives too many values to a register or a cell";
        if (reason)
          return Diagnostic{.message = "an instruction of " + program_.threads[thread].name + " " + *reason,
                            .position = edge.position};
      }
  }
  return std::nullopt;
}

}  // namespace weir::array
