// `__weir_run_constructors` calls what llvm.global_ctors lists (C++ initialisers,
// __attribute__((constructor))), in order of priority; what llvm.global_dtors lists is to be called at exit,
// after everything that the program registers itself. `__weir_call_main` calls main with one argument,
// "program".
#include "frontend/c/pipeline/entry_points.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

#include "frontend/c/pipeline/link.hpp"

namespace weir::c {

namespace {

struct Hook {
  std::uint64_t priority;
  llvm::Function* function;
};

// The functions of llvm.global_ctors or llvm.global_dtors by priority. The list is erased.
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
  std::ranges::stable_sort(hooks, {}, &Hook::priority);
  return hooks;
}

class EntryPoints {
 public:
  explicit EntryPoints(llvm::Module& module)
      : module_(module), context_(module.getContext()), pointer_(llvm::PointerType::getUnqual(context_)) {}

  // What is wrong, or nothing.
  std::optional<std::string> define() {
    llvm::Function* main = module_.getFunction("main");
    if (main == nullptr || main->isDeclaration()) return "there is no main function in this program";
    llvm::Type* nothing = llvm::Type::getVoidTy(context_);
    llvm::IRBuilder<> before = start_function("__weir_run_constructors", nothing);
    register_at_exit(before);
    for (const Hook& hook : take_hooks(module_, "llvm.global_ctors"))
      if (call(before, *hook.function) == nullptr) return wrong_parameters(*hook.function);
    before.CreateRetVoid();

    llvm::IRBuilder<> calling = start_function("__weir_call_main", llvm::Type::getInt32Ty(context_));
    llvm::Value* result = call(calling, *main);
    if (result == nullptr) return wrong_parameters(*main);
    calling.CreateRet(result->getType()->isIntegerTy(32) ? result : calling.getInt32(0));

    auto* entry_type = llvm::FunctionType::get(nothing, false);
    module_.getOrInsertFunction(kMainEntry, entry_type);
    module_.getOrInsertFunction(kThreadEntry, entry_type);
    return std::nullopt;
  }

 private:
  static std::string wrong_parameters(const llvm::Function& function) {
    return fmt::format("{} has parameters that are neither (void) nor (int argc, char **argv)",
                       function.getName().str());
  }

  // A function of ours that the runtime declares.
  llvm::IRBuilder<> start_function(const char* name, llvm::Type* result) {
    auto* type = llvm::FunctionType::get(result, false);
    auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module_);
    return llvm::IRBuilder<>(llvm::BasicBlock::Create(context_, "entry", function));
  }

  // What is called at exit last is registered first.
  void register_at_exit(llvm::IRBuilder<>& builder) {
    for (const Hook& hook : take_hooks(module_, "llvm.global_dtors"))
      builder.CreateCall(module_.getOrInsertFunction("atexit", builder.getInt32Ty(), pointer_),
                         hook.function);
  }

  // With argc, argv, and no environment; null if the function takes something else.
  llvm::Value* call(llvm::IRBuilder<>& builder, llvm::Function& function) {
    std::vector<llvm::Value*> arguments;
    for (const llvm::Argument& parameter : function.args()) {
      const bool is_count = parameter.getArgNo() == 0;
      if (parameter.getArgNo() > 2 || is_count != parameter.getType()->isIntegerTy() ||
          (!is_count && !parameter.getType()->isPointerTy()))
        return nullptr;
      if (is_count)
        arguments.push_back(llvm::ConstantInt::get(parameter.getType(), 1));
      else
        arguments.push_back(parameter.getArgNo() == 1 ? argument_vector()
                                                      : llvm::ConstantPointerNull::get(pointer_));
    }
    return builder.CreateCall(&function, arguments);
  }

  // { "program", NULL }
  llvm::Constant* argument_vector() {
    if (argument_vector_ != nullptr) return argument_vector_;
    auto* type = llvm::ArrayType::get(pointer_, 2);
    auto* program = internal_variable(llvm::ConstantDataArray::getString(context_, "program"), "argv[0]");
    argument_vector_ = internal_variable(
        llvm::ConstantArray::get(type, {program, llvm::ConstantPointerNull::get(pointer_)}), "argv");
    return argument_vector_;
  }

  llvm::Constant* internal_variable(llvm::Constant* value, const char* name) {
    return new llvm::GlobalVariable(module_, value->getType(), false, llvm::GlobalValue::InternalLinkage,
                                    value, name);
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::PointerType* pointer_;
  llvm::Constant* argument_vector_ = nullptr;
};

}  // namespace

std::optional<std::string> define_entry_points(llvm::Module& module) { return EntryPoints(module).define(); }

}  // namespace weir::c
