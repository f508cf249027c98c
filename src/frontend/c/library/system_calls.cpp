#include "frontend/c/library/system_calls.hpp"

#include <array>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <vector>

namespace weir::c {

namespace {

llvm::Value* converted(llvm::IRBuilder<>& build, llvm::Value* value, llvm::Type* type) {
  if (value->getType() == type) return value;
  if (value->getType()->isPointerTy()) return build.CreatePtrToInt(value, type);
  if (type->isPointerTy()) return build.CreateIntToPtr(value, type);
  return build.CreateSExtOrTrunc(value, type);
}

bool can_be_adapted(const llvm::CallInst& call, std::size_t most) {
  return call.arg_size() >= 1 && call.arg_size() <= most && call.getType()->isIntegerTy() &&
         llvm::all_of(call.args(), [](const llvm::Use& argument) {
           return argument->getType()->isPointerTy() || argument->getType()->isIntegerTy();
         });
}

}  // namespace

void adapt_system_calls(llvm::Module& module) {
  llvm::Function* function = module.getFunction("syscall");
  if (function == nullptr || !function->isDeclaration()) return;
  llvm::Type* pointer = llvm::PointerType::getUnqual(module.getContext());
  llvm::Type* number = module.getDataLayout().getIntPtrType(module.getContext());
  const std::array<llvm::Type*, 7> types{number, pointer, number, number, pointer, pointer, number};
  std::vector<llvm::CallInst*> calls;
  for (llvm::Use& use : function->uses())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(use.getUser()); call != nullptr && call->isCallee(&use))
      calls.push_back(call);
  for (llvm::CallInst* call : calls) {
    if (!can_be_adapted(*call, types.size())) continue;
    llvm::IRBuilder<> build(call);
    std::vector<llvm::Value*> arguments;
    for (unsigned i = 0; i < types.size(); ++i)
      arguments.push_back(i < call->arg_size() ? converted(build, call->getArgOperand(i), types[i])
                                               : llvm::Constant::getNullValue(types[i]));
    const auto callee =
        module.getOrInsertFunction("__weir_system_call", llvm::FunctionType::get(number, types, false));
    call->replaceAllUsesWith(converted(build, build.CreateCall(callee, arguments), call->getType()));
    call->eraseFromParent();
  }
}

}  // namespace weir::c
