// Where the variables of an RMM program live.
//
// Global variables are cells from address 0 on, in the order of their declarations, so that the address of a
// variable is its number, as `[EXPR]` wants it. A variable of a process that others address, as in `x[0]`, is
// an object with a cell for every copy of every process, far away from these: `[EXPR]` cannot reach it. One
// that only its own process can see, as it is only called `x[my]`, is no memory at all but a register: a
// process always reads what it wrote last, so nobody can tell. Processes with such variables stay
// interchangeable.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/rmm/syntax.hpp"

namespace weir::rmm {

// A cell with any initial value.
struct ArbitraryCell {
  Value address = 0;
  const Declaration* declaration = nullptr;
};

class Variables {
 public:
  Variables(const ProgramSyntax& syntax, Program& program);

  std::size_t thread_count() const { return process_of_.size(); }
  std::size_t first_thread(std::size_t process) const { return first_thread_[process]; }

  // The number of a global variable, which is its address.
  std::optional<Value> global(const std::string& name) const;
  const std::vector<Declaration>& globals() const { return syntax_.data; }
  // Is this variable of processes seen by other processes?
  bool is_shared(const std::string& name) const { return base_.contains(name); }
  bool is_local(const std::string& name) const { return local_.contains(name); }
  // The address of the first cell of a shared variable of processes.
  Value base(const std::string& name) const { return base_.at(name); }
  // What the process of the thread says about its own variable; null if it has none.
  const Declaration* declaration(const std::string& name, std::size_t thread) const;

  const std::vector<ArbitraryCell>& arbitrary() const { return arbitrary_; }
  // An address behind all variables.
  Value free_address() const { return next_base_; }

 private:
  void number_threads();
  void find_locals();
  void find_shared(const std::vector<Statement>& statements);
  void add_globals(Program& program);
  void add_shared(Program& program);

  const ProgramSyntax& syntax_;
  std::vector<std::size_t> process_of_;    // per thread
  std::vector<std::size_t> first_thread_;  // per process
  std::map<std::string, Value> global_, base_;
  std::map<std::string, SourcePosition> local_;  // where it is declared first
  std::vector<ArbitraryCell> arbitrary_;
  Value next_base_ = 0;
};

}  // namespace weir::rmm
