// What the lowering of all functions of a module has in common.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/c/layout/bit_fields.hpp"
#include "frontend/c/layout/globals.hpp"
#include "frontend/c/layout/layout.hpp"
#include "frontend/c/layout/pointer_words.hpp"
#include "frontend/c/lowering/places.hpp"
#include "frontend/c/lowering/separate_cells.hpp"
#include "frontend/c/module.hpp"
#include "frontend/c/positions.hpp"
#include "frontend/c/terms.hpp"
#include "program/program.hpp"

namespace weir::c {

class ModuleLowering {
 public:
  ModuleLowering(const PreparedModule& prepared, std::string name, const COptions& options);
  Expected<Program> run();

  Program program;
  Origins origins;  // of the edges of the program
  const COptions& options;
  const std::uint32_t thread_limit;
  const CellsInUse cells;
  Layouts layouts;
  Globals globals;
  Positions positions;
  const llvm::DenseSet<const llvm::AllocaInst*>& private_allocas;
  Places places;
  SeparateCells separate_cells;
  const PointerWords words;
  const BitFieldReads bit_field_reads;
  const bool keeps_variables_in_calls;  // see lifetimes.hpp

  // The function in the program; it is lowered later. Code that runs inside an atomic block of its caller is
  // lowered apart, since it can have none of its own.
  FunctionId function(const llvm::Function& source, bool inside_block);

  // Functions that a pointer may point to, in the order of the module.
  const std::vector<const llvm::Function*>& address_taken() const { return address_taken_; }

  void report(SourcePosition position, std::string message, std::string hint = {});
  void restrict(const std::string& phrase);  // see Program::restrictions
  void assume(const std::string& phrase);    // see Program::assumptions

 private:
  struct Request {
    const llvm::Function* source;
    bool inside_block;
    FunctionId id;
  };

  void add_threads();
  void report_broken_globals();

  const PreparedModule& prepared_;
  std::vector<const llvm::Function*> address_taken_;
  std::map<std::pair<const llvm::Function*, bool>, FunctionId> functions_;
  std::deque<Request> requests_;
  std::vector<Diagnostic> diagnostics_;
  std::set<std::string> reported_;
};

}  // namespace weir::c
