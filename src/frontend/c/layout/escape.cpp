#include "frontend/c/layout/escape.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/c/layout/lifetimes.hpp"
#include "frontend/c/stopping.hpp"

namespace weir::c {

namespace {

// Functions outside the program that use what they are given only while they are called: the primitives, and
// output, which is not modelled.
bool only_borrows(const llvm::Function& function) {
  static const llvm::StringSet<> kOutput{"printf", "fprintf", "dprintf", "puts", "fputs", "perror"};
  return function.getName().starts_with("__weir_") || kOutput.contains(function.getName());
}

class EscapeAnalysis {
 public:
  explicit EscapeAnalysis(const llvm::Module& module) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::Function& function : module)
        if (!function.isDeclaration())
          for (const llvm::Argument& parameter : function.args())
            if (parameter.getType()->isPointerTy() && !captured_.contains(&parameter) && escapes(parameter))
              changed = captured_.insert(&parameter).second;
    }
  }

  bool escapes(const llvm::Value& address) const {
    Uses uses;
    return escapes(address, uses);
  }

  // Nobody else has its address, and nobody uses it when the variable has ended.
  bool is_private(const llvm::AllocaInst& variable) const {
    Uses uses;
    return !escapes(variable, uses) &&
           !outlives(variable, std::vector<const llvm::Value*>(uses.seen.begin(), uses.seen.end()));
  }

 private:
  // Values computed from the address.
  struct Uses {
    void add(const llvm::Value& value) {
      if (seen.insert(&value).second) pending.push_back(&value);
    }

    llvm::SmallPtrSet<const llvm::Value*, 16> seen;
    std::vector<const llvm::Value*> pending;
    std::vector<const llvm::User*> differences;
  };

  bool escapes(const llvm::Value& address, Uses& uses) const {
    uses.add(address);
    while (!uses.pending.empty()) {
      const llvm::Value* value = uses.pending.back();
      uses.pending.pop_back();
      for (const llvm::Use& use : value->uses())
        if (use_escapes(use, uses)) return true;
    }
    // The difference of two addresses of the variable is a number; with another address, it is as good as its
    // own.
    return llvm::any_of(uses.differences, [&](const llvm::User* difference) {
      return llvm::any_of(difference->operands(),
                          [&](const llvm::Use& operand) { return !uses.seen.contains(operand); });
    });
  }

  bool use_escapes(const llvm::Use& use, Uses& uses) const {
    const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (user == nullptr) return true;
    switch (user->getOpcode()) {
      case llvm::Instruction::Load:
      case llvm::Instruction::ICmp:
      case llvm::Instruction::VAArg: return false;
      case llvm::Instruction::Store: return use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex();
      case llvm::Instruction::AtomicRMW:
        return use.getOperandNo() != llvm::AtomicRMWInst::getPointerOperandIndex();
      case llvm::Instruction::AtomicCmpXchg:
        return use.getOperandNo() != llvm::AtomicCmpXchgInst::getPointerOperandIndex();
      case llvm::Instruction::Sub:
        if (!llvm::all_of(user->operands(), [](const llvm::Use& operand) {
              return llvm::isa<llvm::PtrToIntInst>(operand.get());
            })) {
          uses.add(*user);
          return false;
        }
        uses.differences.push_back(user);
        return false;
      case llvm::Instruction::GetElementPtr:
      case llvm::Instruction::PHI:
      case llvm::Instruction::Select:
      case llvm::Instruction::BitCast:
      case llvm::Instruction::Freeze:
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::IntToPtr:
      case llvm::Instruction::Add:
      case llvm::Instruction::And: uses.add(*user); return false;
      case llvm::Instruction::Call: return call_escapes(llvm::cast<llvm::CallInst>(*user), use, uses);
      default: return true;
    }
  }

  bool call_escapes(const llvm::CallInst& call, const llvm::Use& use, Uses& uses) const {
    if (!call.isArgOperand(&use)) return true;
    if (!use->getType()->isPointerTy()) return true;  // an address disguised as a number
    const unsigned argument = call.getArgOperandNo(&use);
    if (call.isInlineAsm()) return !call.getParamElementType(argument);  // else an operand in memory
    const llvm::Function* callee = call.getCalledFunction();
    if (callee == nullptr) return true;
    if (callee->isIntrinsic()) {
      if (call.getType()->isPointerTy()) uses.add(call);
      return false;
    }
    if (callee->isDeclaration()) return !only_borrows(*callee);
    return argument >= callee->arg_size() || captured_.contains(callee->getArg(argument));
  }

  llvm::DenseSet<const llvm::Argument*> captured_;  // parameters that escape their function
};

}  // namespace

llvm::DenseSet<const llvm::AllocaInst*> private_variables(const llvm::Module& module,
                                                          const Context* context) {
  const EscapeAnalysis analysis(module);
  llvm::DenseSet<const llvm::AllocaInst*> privates;
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        poll(context);
        if (variable->isStaticAlloca() && analysis.is_private(*variable)) privates.insert(variable);
      }
  return privates;
}

}  // namespace weir::c
