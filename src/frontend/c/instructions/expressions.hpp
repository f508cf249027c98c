// Building expressions, a little simplified: constants are computed, casts that change nothing are left out,
// conditions that clang wraps into integers are unwrapped. Simplifying never removes a failure (a division by
// zero) and never makes an expression larger.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <optional>

#include "program/address.hpp"

namespace weir::c {

inline constexpr Type kBool{1, false};
inline constexpr Type kAddress{64, false};
// Offsets within the private memory of a function are smaller.
inline constexpr auto kMostPrivateBytes = static_cast<Value>(kPrivateBytes);

class Expressions {
 public:
  explicit Expressions(Program& program) : program_(program) {}

  ExprId constant(Value value, Type type);  // wraps the value
  ExprId address(std::uint64_t value) { return constant(static_cast<Value>(value), kAddress); }
  ExprId reg(RegisterId id, Type type) { return program_.register_value(id, type); }
  ExprId self(Type type) { return program_.add_expression({.op = ExprOp::kSelf, .type = type}); }
  ExprId frame(std::uint64_t offset);

  ExprId cast(ExprId a, Type type);
  ExprId as_unsigned(ExprId a);       // of the same width
  ExprId as_signed(ExprId a);         // the same; in registers only addresses and single bits are not signed
  ExprId unary(ExprOp op, ExprId a);  // of the operand's type
  ExprId binary(ExprOp op, ExprId a, ExprId b);   // of the operands' type
  ExprId compare(ExprOp op, ExprId a, ExprId b);  // 0 or 1, of one bit; float comparisons, too
  ExprId negation(ExprId a);                      // !a
  ExprId both(ExprId a, ExprId b);                // a && b
  ExprId either(ExprId a, ExprId b);              // a || b
  ExprId select(ExprId condition, ExprId a, ExprId b);
  ExprId convert(ExprOp op, ExprId a, Type type);  // between numbers and floating point numbers
  ExprId plus(ExprId a, Value offset);

  Type type(ExprId id) const { return program_.expression(id).type; }
  std::optional<Value> number(ExprId id) const;
  bool is_leaf(ExprId id) const;      // a constant, a register, or the like
  std::size_t size(ExprId id) const;  // nodes, but no more than a hundred are counted

 private:
  std::optional<ExprId> folded(ExprOp op, ExprId a, ExprId b, Type type);
  // What was cast without a change of its value, for as long as it goes.
  ExprId without_extensions(ExprId id) const;

  Program& program_;
};

using Operands = llvm::function_ref<ExprId(const llvm::Value&)>;

// The value of an instruction that only computes: arithmetic, comparisons, casts, selection. None if it is of
// another kind or works on types that cannot be expressed.
std::optional<ExprId> computed_value(const llvm::Instruction& instruction, Expressions& build,
                                     Operands operand);

// base + the indices times the sizes.
ExprId element_address(const llvm::GEPOperator& gep, const llvm::DataLayout& data, Expressions& build,
                       Operands operand);

// Can computing it fail? Divisions, unless the divisor is a constant that is not 0.
bool may_fail(const llvm::Instruction& instruction);

}  // namespace weir::c
