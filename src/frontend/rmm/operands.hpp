// What the statements of one process speak of: registers, places in memory, expressions, and the ranges of
// what is written. Says what is wrong with a name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/rmm/syntax.hpp"
#include "frontend/rmm/variables.hpp"

namespace weir::rmm {

// A register of the function, or a variable of the process that is one.
struct Storage {
  RegisterId reg;
  const Declaration* declaration = nullptr;
};

// For messages: "[0:1]", "flag[my]".
std::string text(const Range& range);
std::string text(const Place& place);

class Operands {
 public:
  // Adds the registers of the process to the function, and the parameter `my` if copies must know which one
  // they are.
  Operands(const ProgramSyntax& syntax, const Variables& variables, std::size_t process, FunctionId function,
           Program& program);

  // Does the code depend on which process it is?
  bool knows_itself() const { return knows_itself_; }
  const std::vector<Storage>& arbitrary() const { return arbitrary_; }  // start with any value
  bool has_register(const std::string& name) const { return registers_.contains(name); }
  const Storage& reg(const Name& name) const { return reg(name.text, name.position); }

  // The register that the place is, if it is one. To be asked before anything else about a place: this is
  // where wrong names are found.
  const Storage* own_register(const Place& place) const;
  ExprId address(const Place& place);
  // The variables that the place can be, and when it is not that one (none: it always is). One is enough if
  // all have the same range.
  std::vector<std::pair<ExprId, const Declaration*>> variables_at(const Place& place);

  ExprId evaluate(TermId id);
  std::optional<Value> constant(TermId id) const;
  // What an arithmetic expression can be, if its registers have ranges and nothing overflows.
  std::optional<Range> interval(TermId id) const;
  // What a read of the place can return, if that is known.
  std::optional<Range> values_of(const Place& place);

  ExprId in_range(ExprId value, const Range& range);
  // Does the value fit into the variable? None if it always does. A constant that does not is a mistake.
  ExprId fitting(const Place& place, TermId value);
  void require_fitting(const Place& place, TermId value);
  void require_fitting(const Storage& target, const std::string& name, TermId value) const;

 private:
  bool mentions_processes(const std::vector<Statement>& statements) const;
  Storage declare(const Declaration& declaration, std::string name);
  const Storage& reg(const std::string& name, SourcePosition position) const;
  void check_global(const Place& place) const;
  void check_local(const Place& place) const;
  void check_owners(const Place& place) const;
  void check_pointer(const Place& place) const;
  std::size_t owner(const Place& place, std::size_t copy) const;
  ExprId is_not_copy(std::size_t copy);
  bool is_constant(TermId id) const;

  const Terms& terms_;
  const Variables& variables_;
  const Process& process_;
  std::size_t first_thread_;
  Program& program_;
  FunctionId function_;
  bool knows_itself_ = false;
  RegisterId my_;
  std::map<std::string, Storage> registers_, own_;
  std::vector<Storage> arbitrary_;
};

}  // namespace weir::rmm
