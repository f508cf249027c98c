// Which values the registers and cells of a program can take, whatever its threads do: for programs in which
// these are few.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/program.hpp"

namespace weir::array {

using Valuation = std::map<RegisterId, Value>;

class ProgramValues {
 public:
  explicit ProgramValues(const Program& program) : program_(program) {}

  // Computes the sets, or says why the program is none for which this works.
  std::optional<Diagnostic> compute();

  const std::set<Value>& of_register(ThreadId thread, RegisterId reg) const;
  const std::set<Value>& of_cell(Value address) const { return cells_.at(address); }
  const std::map<Value, std::set<Value>>& cells() const { return cells_; }  // by address
  Value initial(Value address) const;
  Type cell_type(Value address) const;

  // All values that the registers in the expressions (those that are there) can have together.
  std::vector<Valuation> valuations(ThreadId thread, const std::vector<ExprId>& expressions) const;
  // Of an expression whose registers have these values.
  Value evaluate(ExprId expression, const Valuation& valuation) const;

  // What a read-modify-write with these operands leaves where it finds `old`.
  Value updated(const Instruction& rmw, Value address, Value old, const Valuation& valuation) const;

 private:
  std::optional<std::string> refusal(const Instruction& instruction) const;
  std::optional<std::string> refusal(ExprId expression) const;
  std::optional<std::string> flow(ThreadId thread, const Instruction& instruction);
  std::optional<std::string> flow_access(ThreadId thread, const Instruction& instruction);
  std::optional<std::string> reach_cell(Value address, const Instruction& instruction);
  void add_to_register(ThreadId thread, RegisterId reg, Value value);
  void add_to_cell(Value address, Value value);
  void add(std::set<Value>& set, Value value);

  const Program& program_;
  std::vector<std::vector<std::set<Value>>> registers_;  // by thread and register
  std::map<Value, std::set<Value>> cells_;
  bool changed_ = false;
  bool too_many_ = false;
};

}  // namespace weir::array
