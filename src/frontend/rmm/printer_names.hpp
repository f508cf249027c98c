// Names and expressions for the RMM printer, and a list of what the language cannot say.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/analysis/known_registers.hpp"
#include "program/program.hpp"

namespace weir::rmm {

// Why a program cannot be written in RMM; each reason once for each place.
class Problems {
 public:
  void refuse(SourcePosition position, std::string_view what, std::string hint = {});
  bool empty() const { return diagnostics_.empty(); }
  std::vector<Diagnostic> take() { return std::move(diagnostics_); }

 private:
  std::vector<Diagnostic> diagnostics_;
};

// Hands out names that are valid in RMM, each once.
class NamePool {
 public:
  std::string name(std::string_view wanted, std::string_view otherwise);

 private:
  std::set<std::string> taken_;
};

// The cells of shared memory, each a variable of all processes.
class CellNames {
 public:
  CellNames(const Program& program, Problems& problems);

  // "data" and the variables; nothing if there are none.
  std::string declarations() const;
  // Its name; an address that has none gets one, if memory is open. Nothing otherwise.
  std::optional<std::string> name(Value address) const;
  // Are the variables numbered by their addresses, so that `[EXPR]` means the same?
  bool numbered_by_address() const { return numbered_; }

 private:
  struct Cell {
    std::string name;
    Value initial = 0;
  };

  void add_constant_addresses(const Program& program);

  NamePool pool_;
  std::map<Value, Cell> cells_;  // by address
  bool numbered_ = true;
};

// Expressions of one thread.
class ExpressionWriter {
 public:
  ExpressionWriter(const Program& program, const Thread& thread, Problems& problems);

  const KnownRegisters& known() const { return known_; }
  std::string register_name(RegisterId reg) {
    used_.insert(reg);
    return "$" + names_[reg.index()];
  }
  // Has its name been asked for?
  bool is_used(RegisterId reg) const { return used_.contains(reg); }
  // A name that no register has.
  std::string fresh_register(std::string_view wanted) { return "$" + pool_.name(wanted, wanted); }

  std::string arithmetic(ExprId id, SourcePosition position);
  std::string condition(ExprId id, SourcePosition position);
  std::string negated(ExprId id, SourcePosition position);
  // Is its value a truth value, which arithmetic lacks?
  bool is_condition(ExprId id) const;

 private:
  std::string arithmetic(ExprId id, SourcePosition position, int depth);
  std::string condition(ExprId id, SourcePosition position, int depth);
  std::string refuse(SourcePosition position, std::string_view what) const;

  const Program& program_;
  Problems& problems_;
  KnownRegisters known_;
  NamePool pool_;
  std::vector<std::string> names_;  // per register
  std::set<RegisterId> used_;
};

}  // namespace weir::rmm
