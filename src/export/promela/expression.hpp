// Names and expressions of a program in Promela.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir::promela_form {

// An identifier made of `name`, which may contain anything, and a number that makes it unique.
std::string identifier(std::string_view prefix, std::string_view name, std::size_t number);

// Says how things are called, writes expressions, and collects what cannot be expressed.
class Expressions {
 public:
  explicit Expressions(const Program& program);

  std::string register_name(ThreadId thread, RegisterId reg) const;
  std::string object_name(ObjectId object) const;

  // An expression that is evaluated by `thread`, or (none) an invariant.
  std::string expression(ExprId id, ThreadId thread, SourcePosition position);
  // The cell at an address: an object, or an element of one.
  std::string cell(ExprId address, ThreadId thread, SourcePosition position);
  // Assertions that the divisors in the expression are not zero, each ending in "; ".
  std::string division_checks(ExprId id, ThreadId thread, SourcePosition position);

  void require_type(Type type, SourcePosition position);
  void require_range(Value value, SourcePosition position);
  void complain(SourcePosition position, std::string message);

  // The values of cells outside all objects, in a program with open memory.
  const std::vector<Value>& unnamed_cells() const { return unnamed_; }
  std::vector<Diagnostic>& diagnostics() { return diagnostics_; }

 private:
  std::string constant_cell(Value address, SourcePosition position);
  std::optional<Value> constant_value(ExprId id, ThreadId thread) const;

  const Program& program_;
  std::vector<std::vector<bool>> written_;  // per function and register: does an instruction write it?
  std::vector<Value> unnamed_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace weir::promela_form
