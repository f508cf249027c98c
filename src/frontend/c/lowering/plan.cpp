#include "frontend/c/lowering/plan.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/c/instructions/external.hpp"

namespace weir::c {

namespace {

constexpr const char* kMarkPrefix = "__weir_uninitialised.";

llvm::StringRef called_name(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  const auto* callee = call == nullptr
                           ? nullptr
                           : llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
  return callee == nullptr ? llvm::StringRef() : callee->getName();
}

// Does nothing but compute its value?
bool only_computes(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || llvm::isa<llvm::AllocaInst>(instruction)) return true;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return has_no_effect(*call) || is_pure_call(*call);
  return !instruction.mayReadOrWriteMemory() && !instruction.isTerminator() &&
         !llvm::isa<llvm::FenceInst>(instruction);
}

// The values that are passed on as they are, so that a mark in them goes on.
bool passes_on(const llvm::User& user, const llvm::Use& use) {
  if (llvm::isa<llvm::SelectInst>(user)) return use.getOperandNo() != 0;
  return llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::FreezeInst>(user) ||
         llvm::isa<llvm::InsertValueInst>(user) || llvm::isa<llvm::ExtractValueInst>(user);
}

}  // namespace

int block_change(const llvm::Instruction& instruction) {
  const llvm::StringRef name = called_name(instruction);
  if (name == "__weir_atomic_begin" || name == "__VERIFIER_atomic_begin") return 1;
  if (name == "__weir_atomic_end" || name == "__VERIFIER_atomic_end") return -1;
  return 0;
}

bool is_uninitialised_mark(const llvm::Value& value) { return called_name(value).starts_with(kMarkPrefix); }

std::string marked_variable(const llvm::Value& mark) {
  const auto* call = llvm::dyn_cast<llvm::Instruction>(&mark);
  const llvm::MDNode* node = call == nullptr ? nullptr : call->getMetadata("weir.variable");
  if (node == nullptr || node->getNumOperands() == 0) return "";
  const auto* text = llvm::dyn_cast<llvm::MDString>(node->getOperand(0));
  return text == nullptr ? "" : text->getString().str();
}

Plan::Plan(const llvm::Function& function, bool inside_block) : inside_block_(inside_block) {
  count_uses(function);
  for (const llvm::BasicBlock& block : function) place_computations(block);
  find_uninitialised(function);
  follow_blocks(function);
}

void Plan::count_uses(const llvm::Function& function) {
  for (const llvm::Instruction& user : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
    if (call != nullptr && has_no_effect(*call)) continue;
    for (const llvm::Value* operand : user.operand_values())
      if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand)) ++uses_[instruction];
  }
}

// From the end: `next_effect` tells apart stretches without effects.
void Plan::place_computations(const llvm::BasicBlock& block) {
  llvm::DenseMap<const llvm::Instruction*, unsigned> stretch;
  unsigned current = 0;
  for (const llvm::Instruction& instruction : block) {
    // An effect uses its operands at the end of the stretch before it.
    stretch[&instruction] = current;
    if (!only_computes(instruction)) ++current;
  }
  const unsigned last = stretch.lookup(block.getTerminator());
  for (const llvm::Instruction& instruction : block) {
    if (!only_computes(instruction) || uses_.lookup(&instruction) != 1) continue;
    for (const llvm::Use& use : instruction.uses()) {
      const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call != nullptr && has_no_effect(*call)) continue;
      const auto* merge = llvm::dyn_cast<llvm::PHINode>(user);
      const bool at_end = merge != nullptr && merge->getIncomingBlock(use) == &block;
      const bool nearby = merge == nullptr && user->getParent() == &block;
      const unsigned used_in = at_end ? last : stretch.lookup(user);
      if ((at_end || nearby) && used_in == stretch.lookup(&instruction)) at_use_.insert(&instruction);
    }
  }
}

void Plan::find_uninitialised(const llvm::Function& function) {
  std::vector<const llvm::Value*> open;
  const auto add = [&](const llvm::Value& value) {
    if (uninitialised_.insert(&value).second) open.push_back(&value);
  };
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (is_uninitialised_mark(instruction)) add(instruction);
    // An undefined constant is like a mark without a name. In a structure it is a part that comes later.
    for (const llvm::Use& use : instruction.operands())
      if (llvm::isa<llvm::UndefValue>(use.get()) && passes_on(instruction, use) &&
          !llvm::isa<llvm::InsertValueInst>(instruction))
        add(instruction);
  }
  while (!open.empty()) {
    const llvm::Value* value = open.back();
    open.pop_back();
    for (const llvm::Use& use : value->uses())
      if (passes_on(*use.getUser(), use)) add(*use.getUser());
  }
}

void Plan::follow_blocks(const llvm::Function& function) {
  llvm::DenseMap<const llvm::BasicBlock*, bool> reached;
  std::vector<const llvm::BasicBlock*> open{&function.getEntryBlock()};
  const int base = inside_block_ ? 1 : 0;
  open_[open.front()] = base;
  reached[open.front()] = true;
  while (!open.empty()) {
    const llvm::BasicBlock* block = open.back();
    open.pop_back();
    int depth = open_.lookup(block);
    for (const llvm::Instruction& instruction : *block) {
      depth += block_change(instruction);
      if (depth < base) {
        problems_.push_back(
            {&instruction, "an atomic block ends here, but none is open on some way to here"});
        depth = base;
      }
      if (llvm::isa<llvm::ReturnInst>(instruction) && depth != base)
        problems_.push_back({&instruction, "the function returns here with an atomic block still open"});
    }
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (!reached[next]) {
        reached[next] = true;
        open_[next] = depth;
        open.push_back(next);
      } else if (open_.lookup(next) != depth && !next->empty()) {
        problems_.push_back({&next->front(), "this is reached both inside and outside of an atomic block"});
      }
    }
  }
}

}  // namespace weir::c
