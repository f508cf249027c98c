#include "frontend/c/pipeline/cleanup.hpp"

#include <algorithm>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "frontend/c/layout/lifetimes.hpp"
#include "frontend/c/pipeline/link.hpp"
#include "frontend/c/stopping.hpp"

namespace weir::c {

namespace {

bool fits(const llvm::CallInst& call, const llvm::Function& callee) {
  const llvm::FunctionType* type = callee.getFunctionType();
  if (type == call.getFunctionType() || call.arg_size() < type->getNumParams()) return false;
  if (call.arg_size() > type->getNumParams() && !type->isVarArg() && !call.getFunctionType()->isVarArg())
    return false;
  if (type->getReturnType() != call.getType() && !call.use_empty()) return false;
  for (unsigned i = 0; i < type->getNumParams(); ++i)
    if (type->getParamType(i) != call.getArgOperand(i)->getType()) return false;
  return true;
}

void match_type(llvm::CallInst& call, llvm::Function& callee) {
  const std::size_t count = callee.isVarArg() ? call.arg_size() : callee.arg_size();
  std::vector<llvm::Value*> arguments(call.arg_begin(),
                                      call.arg_begin() + static_cast<std::ptrdiff_t>(count));
  auto* matched = llvm::CallInst::Create(&callee, arguments, "", call.getIterator());
  matched->setDebugLoc(call.getDebugLoc());
  if (matched->getType() == call.getType()) {
    matched->takeName(&call);
    call.replaceAllUsesWith(matched);
  }
  call.eraseFromParent();
}

llvm::Constant* without_undefined(llvm::Constant* value) {
  if (llvm::isa<llvm::UndefValue>(value)) return llvm::Constant::getNullValue(value->getType());
  auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(value);
  if (aggregate == nullptr) return value;
  std::vector<llvm::Constant*> parts;
  for (const llvm::Use& part : aggregate->operands())
    parts.push_back(without_undefined(llvm::cast<llvm::Constant>(part.get())));
  if (auto* type = llvm::dyn_cast<llvm::StructType>(value->getType()))
    return llvm::ConstantStruct::get(type, parts);
  if (auto* type = llvm::dyn_cast<llvm::ArrayType>(value->getType()))
    return llvm::ConstantArray::get(type, parts);
  return llvm::ConstantVector::get(parts);
}

bool is_hint(const llvm::Instruction& instruction) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (intrinsic == nullptr) return false;
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::experimental_noalias_scope_decl: return true;
    default: return false;
  }
}

// Computations that cannot fail, and of which there is no doubt.
bool can_be_folded(const llvm::Instruction& instruction) {
  if (instruction.isIntDivRem() || instruction.getType()->isFPOrFPVectorTy()) return false;
  if (instruction.getNumOperands() > 0 && instruction.getOperand(0)->getType()->isFPOrFPVectorTy())
    return false;
  return llvm::isa<llvm::CmpInst, llvm::CastInst, llvm::BinaryOperator, llvm::SelectInst, llvm::PHINode,
                   llvm::LoadInst>(instruction);
}

// Reading a constant variable is not an access that others could notice.
llvm::Constant* constant_loaded(llvm::LoadInst& load) {
  auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(load.getPointerOperand());
  const bool known = variable != nullptr && variable->isConstant() && variable->hasDefinitiveInitializer() &&
                     variable->getValueType() == load.getType();
  return known && load.isSimple() ? variable->getInitializer() : nullptr;
}

llvm::Constant* constant_value(llvm::Instruction& instruction) {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
    return llvm::dyn_cast_or_null<llvm::Constant>(phi->hasConstantValue());
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return constant_loaded(*load);
  return llvm::ConstantFoldInstruction(&instruction, instruction.getDataLayout());
}

// Nothing undefined, and no vector that is an expression or has one. LLVM crashes when it is asked for the
// elements of an expression.
bool is_plain(const llvm::Constant& value) {
  if (llvm::isa<llvm::UndefValue>(value)) return false;
  if (!value.getType()->isVectorTy()) return true;
  return !llvm::isa<llvm::ConstantExpr>(value) && !value.containsUndefOrPoisonElement() &&
         !value.containsConstantExpression();
}

// Replaces uses of the instruction by its value if that is constant. Every user may be constant now.
bool fold(llvm::Instruction& instruction) {
  if (!can_be_folded(instruction)) return false;
  llvm::Constant* value = constant_value(instruction);
  if (value == nullptr || !is_plain(*value)) return false;
  instruction.replaceAllUsesWith(value);
  return true;
}

void fold_constants(llvm::Function& function) {
  std::vector<llvm::Instruction*> pending;
  for (llvm::Instruction& instruction : llvm::instructions(function)) pending.push_back(&instruction);
  std::ranges::reverse(pending);
  llvm::SmallPtrSet<llvm::Instruction*, 32> folded;
  while (!pending.empty()) {
    llvm::Instruction* instruction = pending.back();
    pending.pop_back();
    if (folded.contains(instruction)) continue;
    std::vector<llvm::Instruction*> users;
    for (llvm::User* user : instruction->users()) users.push_back(llvm::cast<llvm::Instruction>(user));
    if (!fold(*instruction)) continue;
    folded.insert(instruction);
    pending.insert(pending.end(), users.begin(), users.end());
  }
  for (llvm::Instruction* instruction : folded) instruction->eraseFromParent();
  for (llvm::BasicBlock& block : function) llvm::ConstantFoldTerminator(&block);
}

void add_referenced(const llvm::Value* value, llvm::SmallPtrSetImpl<const llvm::Value*>& seen,
                    std::vector<const llvm::GlobalValue*>& found) {
  std::vector<const llvm::Value*> pending{value};
  while (!pending.empty()) {
    const llvm::Value* next = pending.back();
    pending.pop_back();
    if (!llvm::isa<llvm::Constant>(next) || !seen.insert(next).second) continue;
    if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(next)) {
      found.push_back(global);
      continue;
    }
    for (const llvm::Use& operand : llvm::cast<llvm::Constant>(next)->operands())
      pending.push_back(operand.get());
  }
}

llvm::SmallPtrSet<const llvm::Value*, 32> reachable_globals(const llvm::Module& module,
                                                            llvm::ArrayRef<const char*> kept) {
  llvm::SmallPtrSet<const llvm::Value*, 32> seen;
  std::vector<const llvm::GlobalValue*> pending;
  for (const char* name : {kMainEntry, kThreadEntry}) add_referenced(module.getFunction(name), seen, pending);
  for (const char* name : kept)
    if (const llvm::Function* function = module.getFunction(name)) add_referenced(function, seen, pending);
  while (!pending.empty()) {
    const llvm::GlobalValue* global = pending.back();
    pending.pop_back();
    for (const llvm::Use& operand : global->operands()) add_referenced(operand.get(), seen, pending);
    if (const auto* function = llvm::dyn_cast<llvm::Function>(global))
      for (const llvm::Instruction& instruction : llvm::instructions(function))
        for (const llvm::Use& operand : instruction.operands()) add_referenced(operand.get(), seen, pending);
  }
  return seen;
}

}  // namespace

void match_call_types(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      auto* callee = call == nullptr
                         ? nullptr
                         : llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
      if (callee != nullptr && fits(*call, *callee)) match_type(*call, *callee);
    }
}

void define_padding(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.hasInitializer()) variable.setInitializer(without_undefined(variable.getInitializer()));
}

void drop_hints(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      for (const unsigned kind : {llvm::LLVMContext::MD_noundef, llvm::LLVMContext::MD_nonnull})
        instruction.setMetadata(kind, nullptr);
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        call->setTailCallKind(llvm::CallInst::TCK_None);
      if (is_hint(instruction)) instruction.eraseFromParent();
    }
}

void tidy_blocks(llvm::Function& function) {
  fold_constants(function);
  llvm::EliminateUnreachableBlocks(function);
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function))
    llvm::MergeBlockIntoPredecessor(&block);
}

void promote_scalars(llvm::Function& function, const Context* context) {
  llvm::DominatorTree dominators(function);
  std::vector<llvm::AllocaInst*> variables;
  do {
    variables.clear();
    for (llvm::Instruction& instruction : function.getEntryBlock()) {
      poll(context);
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (llvm::isAllocaPromotable(variable) && !outlives(*variable, {variable}))
          variables.push_back(variable);
    }
    if (!variables.empty()) llvm::PromoteMemToReg(variables, dominators);
  } while (!variables.empty());
}

void locate_calls(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::DISubprogram* scope = function.getSubprogram();
    if (scope == nullptr) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || call->getDebugLoc() || call->getCalledFunction() == nullptr) continue;
      if (call->getCalledFunction()->getSubprogram() == nullptr) continue;
      instruction.setDebugLoc(llvm::DILocation::get(module.getContext(), scope->getLine(), 0, scope));
    }
  }
}

void drop_unused_globals(llvm::Module& module, llvm::ArrayRef<const char*> kept) {
  const auto used = reachable_globals(module, kept);
  std::vector<llvm::GlobalValue*> unused;
  for (llvm::GlobalValue& global : module.global_values())
    if (!used.contains(&global)) unused.push_back(&global);
  for (llvm::GlobalValue* global : unused) {
    if (auto* function = llvm::dyn_cast<llvm::Function>(global)) function->deleteBody();
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global)) variable->setInitializer(nullptr);
  }
  for (llvm::GlobalValue* global : unused) {
    global->removeDeadConstantUsers();
    global->replaceAllUsesWith(llvm::PoisonValue::get(global->getType()));
    global->eraseFromParent();
  }
}

}  // namespace weir::c
