// Expressions for the Trencher printer. Operators that the language lacks are written with those that it has,
// where that is exact in 64-bit arithmetic: ~a is -1 - a, a|b is a + b - (a&b), and so on.
#include "frontend/trencher/expressible.hpp"

#include <fmt/format.h>

#include "program/expressions.hpp"

namespace weir::trencher {

namespace {

constexpr std::size_t kMaximalText = 1 << 16;

std::uint64_t word(Value value) { return static_cast<std::uint64_t>(value); }

class PrefixWriter {
 public:
  PrefixWriter(const Program& program, const KnownRegisters& known, const std::vector<std::string>& names)
      : program_(program), known_(known), names_(names) {}

  PrefixText write(ExprId id) {
    std::string text = operand(id);
    if (!problem_.empty()) return {{}, problem_};
    return {std::move(text), {}};
  }

 private:
  std::string operand(ExprId id) {
    const Expression& e = program_.expression(id);
    if (e.type != kInt64) return refuse("values of other types than signed 64-bit integers");
    switch (e.op) {
      case ExprOp::kConstant: return fmt::format("{}", e.constant);
      case ExprOp::kRegister: return register_text(e.reg);
      case ExprOp::kLogicalNot: return bounded("! " + operand(e.a));
      case ExprOp::kNegate: return bounded("- 0 " + operand(e.a));
      case ExprOp::kBitNot: return bounded("- -1 " + operand(e.a));
      case ExprOp::kCast: return operand(e.a);
      case ExprOp::kBitOr: return bit_or(e);
      case ExprOp::kBitXor: return bit_xor(e);
      case ExprOp::kShl: return shift_left(e);
      case ExprOp::kDiv:
      case ExprOp::kRem: return refuse("division");
      case ExprOp::kShr: return refuse("a right shift");
      case ExprOp::kSelect: return refuse("a conditional expression");
      default: return binary(e);
    }
  }

  std::string binary(const Expression& e) {
    const char* const op = binary_symbol(e.op);
    if (op == nullptr) return refuse("an expression over a whole state");
    const std::string a = operand(e.a);
    return bounded(fmt::format("{} {} {}", op, a, operand(e.b)));
  }

  std::string bit_or(const Expression& e) {
    const std::string a = operand(e.a), b = operand(e.b);
    return bounded(fmt::format("- + {0} {1} & {0} {1}", a, b));
  }

  std::string bit_xor(const Expression& e) {
    const std::string a = operand(e.a), b = operand(e.b);
    return bounded(fmt::format("- + {0} {1} * 2 & {0} {1}", a, b));
  }

  std::string shift_left(const Expression& e) {
    const auto amount = constant_value(program_, e.b, known_);
    if (!amount) return refuse("a shift by a number that is not constant");
    if (word(*amount) >= 64) return "0";
    return bounded(
        fmt::format("* {} {}", static_cast<Value>(std::uint64_t{1} << word(*amount)), operand(e.a)));
  }

  std::string register_text(RegisterId reg) {
    const auto value = known_.find(reg);
    return value != known_.end() ? fmt::format("{}", value->second) : names_[reg.index()];
  }

  // Operators that repeat an operand can double the text; past the bound nobody would read it anyway.
  std::string bounded(std::string text) {
    return text.size() <= kMaximalText ? text : refuse("an expression of this size");
  }

  std::string refuse(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
    return {};
  }

  const Program& program_;
  const KnownRegisters& known_;
  const std::vector<std::string>& names_;
  std::string problem_;
};

}  // namespace

PrefixText prefix_text(const Program& program, ExprId expression, const KnownRegisters& known,
                       const std::vector<std::string>& names) {
  return PrefixWriter(program, known, names).write(expression);
}

}  // namespace weir::trencher
