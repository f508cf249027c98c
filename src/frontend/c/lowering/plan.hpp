// What has to be known about a function before it is lowered: which values need a register, which may be
// uninitialised, and where atomic blocks are open.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <string>
#include <vector>

namespace weir::c {

// A call of one of the primitives that open and close atomic blocks: +1, -1; 0 for other instructions.
int block_change(const llvm::Instruction& instruction);

// A call of `__weir_uninitialised.<type>`: the value of a variable that was not written.
bool is_uninitialised_mark(const llvm::Value& value);
// The variable's name; empty if unknown.
std::string marked_variable(const llvm::Value& mark);

struct PlanProblem {
  const llvm::Instruction* where;
  std::string what;
};

class Plan {
 public:
  Plan(const llvm::Function& function, bool inside_block);

  // Is the value used by anything that has an effect?
  bool used(const llvm::Instruction& instruction) const { return uses_.lookup(&instruction) > 0; }
  // It has one use, soon and before anything else happens: it can be computed there.
  bool computed_at_use(const llvm::Instruction& instruction) const { return at_use_.contains(&instruction); }
  bool maybe_uninitialised(const llvm::Value& value) const { return uninitialised_.contains(&value); }
  // How many atomic blocks are open where the basic block starts. Unreachable blocks have none.
  int open_blocks(const llvm::BasicBlock& block) const { return open_.lookup(&block); }

  const std::vector<PlanProblem>& problems() const { return problems_; }

 private:
  void count_uses(const llvm::Function& function);
  void place_computations(const llvm::BasicBlock& block);
  void find_uninitialised(const llvm::Function& function);
  void follow_blocks(const llvm::Function& function);

  bool inside_block_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> uses_;
  llvm::DenseSet<const llvm::Instruction*> at_use_;
  llvm::DenseSet<const llvm::Value*> uninitialised_;
  llvm::DenseMap<const llvm::BasicBlock*, int> open_;
  std::vector<PlanProblem> problems_;
};

}  // namespace weir::c
