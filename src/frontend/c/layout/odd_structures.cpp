#include "frontend/c/layout/odd_structures.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace weir::c {

namespace {

bool is_odd(const llvm::Type* type) {
  if (!type->isIntegerTy()) return false;
  const unsigned bits = type->getIntegerBitWidth();
  return bits == 24 || bits == 40 || bits == 48 || bits == 56;
}

class OddStructures {
 public:
  explicit OddStructures(llvm::Function& function)
      : function_(function), byte_(llvm::Type::getInt8Ty(function.getContext())) {}

  void run() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(function_.getEntryBlock()))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (is_temporary(*variable)) make_bytes(*variable);
    if (temporaries_.empty()) return;
    std::vector<llvm::LoadInst*> loads;
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        if (is_move(*load)) loads.push_back(load);
    for (llvm::LoadInst* load : loads) copy(*load);
  }

 private:
  static bool is_temporary(llvm::AllocaInst& variable) {
    return is_odd(variable.getAllocatedType()) && variable.isStaticAlloca() &&
           !variable.isArrayAllocation() && llvm::findDVRDeclares(&variable).empty();
  }

  void make_bytes(llvm::AllocaInst& variable) {
    llvm::AllocaInst* bytes = byte_variable(variable.getAllocatedType(), variable.getAlign());
    bytes->takeName(&variable);
    temporaries_.insert(bytes);
    variable.replaceAllUsesWith(bytes);
    variable.eraseFromParent();
  }

  llvm::AllocaInst* byte_variable(const llvm::Type* type, llvm::Align alignment) {
    return new llvm::AllocaInst(llvm::ArrayType::get(byte_, type->getIntegerBitWidth() / 8),
                                function_.getDataLayout().getAllocaAddrSpace(), nullptr, alignment, "moved",
                                function_.getEntryBlock().begin());
  }

  // From a temporary or to one, and nothing else happens to the value.
  bool is_move(const llvm::LoadInst& load) const {
    if (!is_odd(load.getType()) || !load.isSimple() || load.use_empty()) return false;
    bool temporary = temporaries_.contains(load.getPointerOperand());
    for (const llvm::User* user : load.users()) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store == nullptr || !store->isSimple()) return false;
      temporary |= temporaries_.contains(store->getPointerOperand());
    }
    return temporary;
  }

  // By way of a variable, because memory may change between the load and the store.
  void copy(llvm::LoadInst& load) {
    const std::uint64_t size = load.getType()->getIntegerBitWidth() / 8;
    llvm::AllocaInst* moved = byte_variable(load.getType(), llvm::Align(1));
    llvm::IRBuilder<>(&load).CreateMemCpy(moved, moved->getAlign(), load.getPointerOperand(), load.getAlign(),
                                          size);
    for (llvm::User* user : llvm::make_early_inc_range(load.users())) {
      auto* store = llvm::cast<llvm::StoreInst>(user);
      llvm::IRBuilder<>(store).CreateMemCpy(store->getPointerOperand(), store->getAlign(), moved,
                                            moved->getAlign(), size);
      store->eraseFromParent();
    }
    load.eraseFromParent();
  }

  llvm::Function& function_;
  llvm::Type* byte_;
  llvm::SmallPtrSet<const llvm::Value*, 8> temporaries_;
};

}  // namespace

void copy_odd_structures(llvm::Function& function) { OddStructures(function).run(); }

}  // namespace weir::c
