// Single instructions of a function as statements, and its registers as local variables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/imp/recover_names.hpp"
#include "frontend/imp/syntax.hpp"
#include "program/analysis/liveness.hpp"

namespace weir::imp {

// Loads whose value goes into the expression being read. They must be used once each, in their order.
class PendingLoads {
 public:
  struct Load {
    RegisterId reg;
    TermId term;
  };

  void add(RegisterId reg, TermId term) { loads_.push_back({reg, term}); }
  bool contains(RegisterId reg) const;
  const std::vector<Load>& loads() const { return loads_; }

  // What the load into `reg` reads, if it is pending.
  std::optional<TermId> use(RegisterId reg);
  // Was every load used as it must be?
  bool fits() const { return fits_ && used_ == loads_.size(); }

 private:
  std::vector<Load> loads_;
  std::size_t used_ = 0;
  bool fits_ = true;
};

enum class Region : std::uint8_t { kFunction, kAtomicBlock };

class StatementReader {
 public:
  // The first parameter is written `me` if `own_number`.
  StatementReader(const Program& program, FunctionId function, bool own_number,
                  const VariableNames& variables, const LiveRegisters& live, Terms& terms,
                  std::vector<Diagnostic>& problems);

  const VariableNames& variables() const { return variables_; }
  void refuse(SourcePosition position, std::string_view what, std::string hint = {});

  TermId expression(ExprId id, PendingLoads& pending, SourcePosition position);
  // What a load, store or read-modify-write reads.
  TermId read_term(const Edge& edge, PendingLoads& pending);
  // The statements for any instruction but the begin and end of an atomic block.
  std::vector<Statement> statements(const Edge& edge, PendingLoads& pending, Region region);

  // A local variable that the program does not have.
  std::string add_variable(std::string_view wanted);
  // The declarations of all local variables that occurred so far.
  std::vector<Statement> declarations(const std::vector<Value>& arguments);

 private:
  struct Access {
    std::string name;
    TermId index;
  };

  // What a read-modify-write found, and whether it still has to be copied to the result register.
  struct OldValue {
    TermId value;
    bool is_copied = false;
  };

  std::string register_name(RegisterId reg);
  Access access(const Edge& edge, PendingLoads& pending);
  Statement assign(RegisterId reg, TermId value);
  Statement store(const Edge& edge, PendingLoads& pending, Region region);
  Statement fence(const Edge& edge, Region region);
  std::vector<Statement> read_modify_write(const Edge& edge, Region region);
  OldValue old_value(const Edge& edge, std::vector<Statement>& body);
  TermId new_value(const Edge& edge, TermId old);

  const Program& program_;
  const Function& function_;
  bool own_number_;
  const VariableNames& variables_;
  const LiveRegisters& live_;
  Terms& terms_;
  std::vector<Diagnostic>& problems_;
  NamePool names_;
  std::vector<std::string> register_names_;
  std::vector<std::string> added_;
  std::string old_value_;
};

}  // namespace weir::imp
