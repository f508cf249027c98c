#include "export/promela/expression.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

#include "base/characters.hpp"
#include "program/expressions.hpp"

namespace weir::promela_form {

namespace {

bool same_as_int(Type type) { return type.is_signed && (type.bits == 64 || type.bits == 32); }

}  // namespace

std::string identifier(std::string_view prefix, std::string_view name, std::size_t number) {
  std::string out(prefix);
  for (const char c : name.substr(0, 40)) out += is_word(c) ? c : '_';
  return fmt::format("{}_{}", out, number);
}

Expressions::Expressions(const Program& program) : program_(program), written_(program.functions.size()) {
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    written_[f].resize(program.functions[f].registers.size());
  for (const Edge& edge : program.edges)
    if (edge.instruction.result)
      written_[program.location(edge.source).function.index()][edge.instruction.result.index()] = true;
}

std::string Expressions::register_name(ThreadId thread, RegisterId reg) const {
  const Register& found = program_.function(program_.thread(thread).function).registers[reg.index()];
  return identifier("r", found.name, thread.index()) + fmt::format("_{}", reg.index());
}

std::string Expressions::object_name(ObjectId object) const {
  return identifier("m", program_.object(object).name, object.index());
}

std::string Expressions::expression(ExprId id, ThreadId thread, SourcePosition position) {
  const Expression& e = program_.expression(id);
  require_type(e.type, position);
  const auto operand = [&](ExprId operand_id) { return expression(operand_id, thread, position); };
  switch (e.op) {
    case ExprOp::kConstant:
      require_range(e.constant, position);
      return e.constant < 0 ? fmt::format("({})", e.constant) : std::to_string(e.constant);
    case ExprOp::kRegister: return register_name(thread, e.reg);
    case ExprOp::kNegate: return fmt::format("(-{})", operand(e.a));
    case ExprOp::kBitNot: return fmt::format("(~{})", operand(e.a));
    case ExprOp::kLogicalNot: return fmt::format("(!{})", operand(e.a));
    case ExprOp::kCast: return operand(e.a);
    case ExprOp::kSelect: return fmt::format("({} -> {} : {})", operand(e.a), operand(e.b), operand(e.c));
    case ExprOp::kSharedCell: return constant_cell(e.constant, position);
    case ExprOp::kThreadRegister: return register_name(e.thread, e.reg);
    default: return fmt::format("({} {} {})", operand(e.a), binary_symbol(e.op), operand(e.b));
  }
}

std::string Expressions::cell(ExprId address, ThreadId thread, SourcePosition position) {
  if (const auto value = constant_value(address, thread)) return constant_cell(*value, position);
  const Expression& e = program_.expression(address);
  if (e.op == ExprOp::kAdd) {
    for (const auto& [base, index] : {std::pair(e.a, e.b), std::pair(e.b, e.a)}) {
      const auto start = constant_value(base, thread);
      const auto object = start ? program_.object_at(*start) : std::nullopt;
      if (object && program_.object(*object).base == *start)
        return fmt::format("{}[{}]", object_name(*object), expression(index, thread, position));
    }
  }
  complain(position, "this address is computed and names no object, so it cannot be written in Promela");
  return "0";
}

std::string Expressions::constant_cell(Value address, SourcePosition position) {
  const auto object = program_.object_at(address);
  if (object) {
    const SharedObject& shared = program_.object(*object);
    require_type(shared.type, position);
    if (shared.initial.size() == 1) return object_name(*object);
    return fmt::format("{}[{}]", object_name(*object), address - shared.base);
  }
  if (!program_.open_memory)
    complain(position, fmt::format("there is no shared object at address {}", address));
  auto found = std::find(unnamed_.begin(), unnamed_.end(), address);
  if (found == unnamed_.end()) found = unnamed_.insert(found, address);
  return identifier("m", fmt::format("at{}", address), static_cast<std::size_t>(found - unnamed_.begin()));
}

// The value of an expression over constants and registers that keep their first value.
std::optional<Value> Expressions::constant_value(ExprId id, ThreadId thread) const {
  const Expression& e = program_.expression(id);
  if (e.op == ExprOp::kConstant) return e.constant;
  if (e.op == ExprOp::kRegister && thread) {
    const Thread& owner = program_.thread(thread);
    const Function& function = program_.function(owner.function);
    if (written_[owner.function.index()][e.reg.index()]) return std::nullopt;
    const bool parameter = e.reg.index() < function.parameter_count;
    return parameter ? owner.arguments[e.reg.index()] : function.registers[e.reg.index()].initial;
  }
  if (e.op != ExprOp::kAdd && e.op != ExprOp::kSub && e.op != ExprOp::kMul) return std::nullopt;
  const auto a = constant_value(e.a, thread), b = constant_value(e.b, thread);
  if (!a || !b) return std::nullopt;
  const auto x = static_cast<std::uint64_t>(*a), y = static_cast<std::uint64_t>(*b);
  return wrap(e.op == ExprOp::kAdd ? x + y : e.op == ExprOp::kSub ? x - y : x * y, e.type);
}

std::string Expressions::division_checks(ExprId id, ThreadId thread, SourcePosition position) {
  if (!id) return "";
  const Expression& e = program_.expression(id);
  std::string out;
  for (const ExprId operand : {e.a, e.b, e.c}) out += division_checks(operand, thread, position);
  if (e.op != ExprOp::kDiv && e.op != ExprOp::kRem) return out;
  const Expression& divisor = program_.expression(e.b);
  if (divisor.op == ExprOp::kConstant && divisor.constant != 0) return out;
  return out + fmt::format("assert({} != 0); ", expression(e.b, thread, position));
}

void Expressions::require_type(Type type, SourcePosition position) {
  if (same_as_int(type)) return;
  complain(position, fmt::format("values of type {}{} cannot be written in Promela, which has int only here",
                                 type.is_signed ? 'i' : 'u', type.bits));
}

void Expressions::require_range(Value value, SourcePosition position) {
  if (value >= INT32_MIN && value <= INT32_MAX) return;
  complain(position, fmt::format("{} does not fit into Promela's int, which has 32 bits", value));
}

void Expressions::complain(SourcePosition position, std::string message) {
  constexpr std::size_t kMost = 10;
  const auto same = [&](const Diagnostic& d) { return d.position == position && d.message == message; };
  if (diagnostics_.size() < kMost && std::none_of(diagnostics_.begin(), diagnostics_.end(), same))
    diagnostics_.push_back({Severity::kError, std::move(message), position, ""});
}

}  // namespace weir::promela_form
