#include "frontend/rmm/printer_names.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "frontend/rmm/lexer.hpp"
#include "program/expressions.hpp"

namespace weir::rmm {

namespace {

// Brackets in brackets; the reader allows more.
constexpr int kDeepest = 400;

bool is_comparison(ExprOp op) { return op >= ExprOp::kEq && op <= ExprOp::kGe; }

std::string_view symbol(ExprOp op) { return op == ExprOp::kEq ? "=" : binary_symbol(op); }

std::string in_parentheses(std::string text) { return fmt::format("({})", text); }

bool is_atom(std::string_view text) { return text.find_first_of("+- ") == std::string_view::npos; }

}  // namespace

void Problems::refuse(SourcePosition position, std::string_view what, std::string hint) {
  std::string message = fmt::format("RMM cannot express {}", what);
  const bool known = std::ranges::any_of(diagnostics_, [&](const Diagnostic& other) {
    return other.message == message && other.position == position;
  });
  if (!known) diagnostics_.push_back({Severity::kError, std::move(message), position, std::move(hint)});
}

std::string NamePool::name(std::string_view wanted, std::string_view otherwise) {
  std::string base;
  for (const char c : wanted) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (fits) base += c;
    if (!fits && !base.empty() && base.back() != '_') base += '_';
  }
  while (base.ends_with('_')) base.pop_back();
  if (!is_name(base)) base = fmt::format("{}{}", otherwise, base);
  std::string result = base;
  for (int i = 1; !taken_.insert(result).second; ++i) result = fmt::format("{}_{}", base, i);
  return result;
}

CellNames::CellNames(const Program& program, Problems& problems) {
  for (const SharedObject& object : program.objects) {
    if (object.type != kInt64) problems.refuse(object.position, "variables of other types than int64");
    for (std::size_t k = 0; k < object.initial.size(); ++k) {
      const Value address = object.base + static_cast<Value>(k);
      cells_[address] = {pool_.name(program.address_name(address), "m"), object.initial[k]};
    }
  }
  if (program.open_memory) add_constant_addresses(program);
  Value expected = 0;
  for (const auto& [address, cell] : cells_) numbered_ &= address == expected++;
  numbered_ &= !program.open_memory;
}

void CellNames::add_constant_addresses(const Program& program) {
  for (const Thread& thread : program.threads) {
    const KnownRegisters known = known_registers(program, thread);
    for (const Edge& edge : program.edges) {
      const Opcode op = edge.instruction.op;
      if (op != Opcode::kLoad && op != Opcode::kStore && op != Opcode::kRmw) continue;
      const auto address = constant_value(program, edge.instruction.a, known);
      if (address && !cells_.contains(*address))
        cells_[*address] = {pool_.name(fmt::format("{}", *address), *address < 0 ? "m_" : "m"), 0};
    }
  }
}

std::string CellNames::declarations() const {
  std::string text;
  for (const auto& [address, cell] : cells_) text += fmt::format("  {} = {}\n", cell.name, cell.initial);
  return text.empty() ? text : "data\n" + text + "\n";
}

std::optional<std::string> CellNames::name(Value address) const {
  const auto found = cells_.find(address);
  return found == cells_.end() ? std::nullopt : std::optional(found->second.name);
}

ExpressionWriter::ExpressionWriter(const Program& program, const Thread& thread, Problems& problems)
    : program_(program), problems_(problems), known_(known_registers(program, thread)) {
  const std::vector<Register>& registers = program.function(thread.function).registers;
  for (std::size_t i = 0; i < registers.size(); ++i) names_.push_back(pool_.name(registers[i].name, "r"));
}

std::string ExpressionWriter::refuse(SourcePosition position, std::string_view what) const {
  problems_.refuse(position, what);
  return "0";
}

bool ExpressionWriter::is_condition(ExprId id) const {
  const ExprOp op = program_.expression(id).op;
  return !constant_value(program_, id, known_) && (is_comparison(op) || op == ExprOp::kLogicalNot ||
                                                   op == ExprOp::kLogicalAnd || op == ExprOp::kLogicalOr);
}

std::string ExpressionWriter::arithmetic(ExprId id, SourcePosition position) {
  return arithmetic(id, position, 0);
}
std::string ExpressionWriter::condition(ExprId id, SourcePosition position) {
  return condition(id, position, 0);
}
std::string ExpressionWriter::negated(ExprId id, SourcePosition position) {
  return fmt::format("not [{}]", condition(id, position, 1));
}

std::string ExpressionWriter::arithmetic(ExprId id, SourcePosition position, int depth) {
  const Expression& e = program_.expression(id);
  if (e.type != kInt64) return refuse(position, "values of other types than signed 64-bit integers");
  if (depth > kDeepest) return refuse(position, "an expression of this depth");
  if (const auto value = constant_value(program_, id, known_)) return fmt::format("{}", *value);
  const auto operand = [&](ExprId of) {
    std::string text = arithmetic(of, position, depth + 1);
    return is_atom(text) ? text : in_parentheses(std::move(text));
  };
  switch (e.op) {
    case ExprOp::kRegister: return register_name(e.reg);
    case ExprOp::kCast: return arithmetic(e.a, position, depth + 1);
    case ExprOp::kNegate: return fmt::format("0 - {}", operand(e.a));
    case ExprOp::kAdd: return fmt::format("{} + {}", operand(e.a), operand(e.b));
    case ExprOp::kSub: return fmt::format("{} - {}", operand(e.a), operand(e.b));
    case ExprOp::kMul: return refuse(position, "a multiplication");
    case ExprOp::kSelect: return refuse(position, "a conditional expression");
    case ExprOp::kDiv:
    case ExprOp::kRem: return refuse(position, "division");
    default:
      return refuse(position, is_condition(id) ? "a comparison inside of an expression"
                                               : "operators on bits, or other arithmetic than + and -");
  }
}

std::string ExpressionWriter::condition(ExprId id, SourcePosition position, int depth) {
  const Expression& e = program_.expression(id);
  if (depth > kDeepest) return refuse(position, "a condition of this depth");
  if (const auto value = constant_value(program_, id, known_)) return *value != 0 ? "true" : "false";
  if (is_comparison(e.op)) {
    const std::string a = arithmetic(e.a, position, depth + 1);
    return fmt::format("{} {} {}", a, symbol(e.op), arithmetic(e.b, position, depth + 1));
  }
  switch (e.op) {
    case ExprOp::kLogicalNot: return fmt::format("not [{}]", condition(e.a, position, depth + 1));
    case ExprOp::kLogicalAnd:
    case ExprOp::kLogicalOr:
      return fmt::format("[{}] {} [{}]", condition(e.a, position, depth + 1), symbol(e.op),
                         condition(e.b, position, depth + 1));
    default: return fmt::format("{} != 0", arithmetic(id, position, depth + 1));
  }
}

}  // namespace weir::rmm
