// `__weir_run_constructors` calls what llvm.global_ctors lists (C++ initialisers,
// __attribute__((constructor))), in order of priority. `__weir_call_main` calls main with one argument,
// "program", and then what llvm.global_dtors lists.
#include "frontend/c/entry_points.hpp"

#include <algorithm>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

#include "frontend/c/link.hpp"

namespace weir::c {

namespace {

struct Hook {
  std::uint64_t priority;
  llvm::Function* function;
};

// The functions of llvm.global_ctors or llvm.global_dtors as they are listed. The list is erased.
std::vector<Hook> take_hooks(llvm::Module& module, const char* name) {
  std::vector<Hook> hooks;
  llvm::GlobalVariable* list = module.getGlobalVariable(name);
  if (list == nullptr) return hooks;
  if (auto* entries =
          list->hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr)
    for (const llvm::Use& entry : entries->operands()) {
      const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
      if (fields == nullptr) continue;
      const auto* priority = llvm::dyn_cast<llvm::ConstantInt>(fields->getOperand(0));
      auto* function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts());
      if (priority != nullptr && function != nullptr) hooks.push_back({priority->getZExtValue(), function});
    }
  list->eraseFromParent();
  return hooks;
}

std::vector<Hook> constructors(llvm::Module& module) {
  auto hooks = take_hooks(module, "llvm.global_ctors");
  std::ranges::stable_sort(hooks, {}, &Hook::priority);
  return hooks;
}

// The other way round: what was set up last goes first.
std::vector<Hook> destructors(llvm::Module& module) {
  auto hooks = take_hooks(module, "llvm.global_dtors");
  std::ranges::stable_sort(hooks, {}, &Hook::priority);
  std::ranges::reverse(hooks);
  return hooks;
}

void call_all(llvm::IRBuilder<>& builder, const std::vector<Hook>& hooks) {
  for (const Hook& hook : hooks)
    if (hook.function->arg_empty()) builder.CreateCall(hook.function);
}

// A function of ours that the runtime declares.
llvm::IRBuilder<> start_function(llvm::Module& module, const char* name, llvm::Type* result) {
  auto* type = llvm::FunctionType::get(result, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  return llvm::IRBuilder<>(llvm::BasicBlock::Create(module.getContext(), "entry", function));
}

// { "program", NULL }
llvm::Constant* argument_vector(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* text = llvm::ConstantDataArray::getString(context, "program");
  auto* name = new llvm::GlobalVariable(module, text->getType(), false, llvm::GlobalValue::InternalLinkage,
                                        text, "argv[0]");
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* type = llvm::ArrayType::get(pointer, 2);
  auto* values = llvm::ConstantArray::get(type, {name, llvm::ConstantPointerNull::get(pointer)});
  return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage, values, "argv");
}

// argc, argv, and no environment. Nothing if the parameters are of other types.
std::optional<std::vector<llvm::Value*>> main_arguments(llvm::Module& module, const llvm::Function& main) {
  std::vector<llvm::Value*> values;
  for (const llvm::Argument& parameter : main.args()) {
    const bool is_count = parameter.getArgNo() == 0;
    if (parameter.getArgNo() > 2 || is_count != parameter.getType()->isIntegerTy() ||
        (!is_count && !parameter.getType()->isPointerTy()))
      return std::nullopt;
    if (is_count)
      values.push_back(llvm::ConstantInt::get(parameter.getType(), 1));
    else if (parameter.getArgNo() == 1)
      values.push_back(argument_vector(module));
    else
      values.push_back(llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module.getContext())));
  }
  return values;
}

}  // namespace

std::optional<std::string> define_entry_points(llvm::Module& module) {
  llvm::Function* main = module.getFunction("main");
  if (main == nullptr || main->isDeclaration()) return "there is no main function in this program";
  const auto arguments = main_arguments(module, *main);
  if (!arguments) return "main has parameters that are neither (void) nor (int argc, char **argv)";

  llvm::LLVMContext& context = module.getContext();
  llvm::Type* nothing = llvm::Type::getVoidTy(context);
  llvm::IRBuilder<> before = start_function(module, "__weir_run_constructors", nothing);
  call_all(before, constructors(module));
  before.CreateRetVoid();

  llvm::IRBuilder<> calling = start_function(module, "__weir_call_main", llvm::Type::getInt32Ty(context));
  llvm::Value* result = calling.CreateCall(main, *arguments);
  call_all(calling, destructors(module));
  calling.CreateRet(result->getType()->isIntegerTy(32) ? result : calling.getInt32(0));

  auto* entry_type = llvm::FunctionType::get(nothing, false);
  module.getOrInsertFunction(kMainEntry, entry_type);
  module.getOrInsertFunction(kThreadEntry, entry_type);
  return std::nullopt;
}

}  // namespace weir::c
