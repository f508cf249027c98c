// `void *worker()` and `void worker(void)` are started with a cast in many programs. It works on every
// machine that Weir models, because the caller passes the argument in a register that the callee does not
// look at.
#include "frontend/c/library/thread_functions.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>

#include "frontend/c/pipeline/thread_limit.hpp"

namespace weir::c {

namespace {

bool is_integer_or_pointer(const llvm::Type* type) {
  return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

bool can_be_adapted(const llvm::Function& function) {
  return !function.isVarArg() && function.arg_size() <= 1 &&
         (function.getReturnType()->isVoidTy() || is_integer_or_pointer(function.getReturnType())) &&
         llvm::all_of(function.args(), [](const llvm::Argument& parameter) {
           return is_integer_or_pointer(parameter.getType()) && !parameter.hasByValAttr();
         });
}

llvm::Function* adapter(llvm::Function& function, llvm::FunctionType* type) {
  auto* made = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                      function.getName() + ".thread", function.getParent());
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "entry", made));
  std::vector<llvm::Value*> arguments;
  for (const llvm::Argument& parameter : function.args())
    arguments.push_back(parameter.getType()->isPointerTy()
                            ? static_cast<llvm::Value*>(made->getArg(0))
                            : builder.CreatePtrToInt(made->getArg(0), parameter.getType()));
  llvm::Value* result = builder.CreateCall(&function, arguments);
  if (result->getType()->isVoidTy())
    result = llvm::ConstantPointerNull::get(builder.getPtrTy());
  else if (result->getType()->isIntegerTy())
    result = builder.CreateIntToPtr(result, builder.getPtrTy());
  builder.CreateRet(result);
  return made;
}

}  // namespace

bool adapt_thread_functions(llvm::Module& module) {
  llvm::Function* spawn = module.getFunction(kSpawn);
  if (spawn == nullptr) return false;
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* type = llvm::FunctionType::get(pointer, {pointer}, false);
  llvm::DenseMap<llvm::Function*, llvm::Function*> adapters;
  for (llvm::User* user : spawn->users()) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call == nullptr || call->getCalledFunction() != spawn) continue;
    auto* start = llvm::dyn_cast<llvm::Function>(call->getArgOperand(0)->stripPointerCasts());
    if (start == nullptr || start->getFunctionType() == type || !can_be_adapted(*start)) continue;
    llvm::Function*& made = adapters[start];
    if (made == nullptr) made = adapter(*start, type);
    call->setArgOperand(0, made);
  }
  return !adapters.empty();
}

}  // namespace weir::c
