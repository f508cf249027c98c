#include "frontend/c/unwinding/unwinding.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "base/error.hpp"
#include "frontend/c/library/library.hpp"
#include "frontend/c/pipeline/cleanup.hpp"
#include "frontend/c/pipeline/link.hpp"
#include "frontend/c/unwinding/exception_types.hpp"
#include "frontend/c/unwinding/landing_pads.hpp"

namespace weir::c {

namespace {

constexpr const char* kFunctions[] = {
    "__weir_landed",          "__weir_resume",         "__weir_type_of",           "__weir_object_of",
    "__weir_adjust",          "__weir_leave_function", "__weir_function_was_left", "__weir_leave_unwound",
    "__weir_not_caught_here", "__weir_uncaught"};
constexpr const char* kUnwind = "__weir_unwind";
constexpr const char* kSearch = "__weir_search";

bool is_top(const llvm::Function& function) {
  return function.getName() == kMainEntry || function.getName() == kThreadEntry;
}

bool calls(const llvm::CallBase& call, llvm::StringRef name) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName() == name;
}

template <typename Kind>
std::vector<Kind*> all_of_kind(llvm::Function& function) {
  std::vector<Kind*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* one = llvm::dyn_cast<Kind>(&instruction)) found.push_back(one);
  return found;
}

template <typename Kind>
bool has_any(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    return llvm::any_of(llvm::instructions(function),
                        [](const llvm::Instruction& instruction) { return llvm::isa<Kind>(instruction); });
  });
}

// Functions of the library that call others, or end the thread.
bool can_be_left(const LibraryFunction& function) {
  return function.name == "pthread_exit" || function.name == "thrd_exit" || function.arguments.contains('c');
}

// Landing pads of other languages and systems know nothing of our exceptions.
bool is_foreign(const llvm::BasicBlock& pad) {
  const llvm::LandingPadInst* landing = pad.getLandingPadInst();
  const auto* type = landing == nullptr ? nullptr : llvm::dyn_cast<llvm::StructType>(landing->getType());
  return type == nullptr || type->getNumElements() != 2 || !type->getElementType(0)->isPointerTy() ||
         !type->getElementType(1)->isIntegerTy(32);
}

bool is_harmless(const llvm::InvokeInst& invoke) {
  if (invoke.isInlineAsm() || is_foreign(*invoke.getUnwindDest())) return true;
  const llvm::Function* callee = invoke.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return false;
  const LibraryFunction* known = library_function(callee->getName());
  return callee->isIntrinsic() || (known != nullptr && !can_be_left(*known));
}

void replace_calls(llvm::Module& module, const char* name,
                   llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&, llvm::CallBase&)> value) {
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr) return;
  for (llvm::User* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call == nullptr || call->getCalledFunction() != function) continue;
    llvm::IRBuilder<> builder(call);
    if (llvm::Value* result = value(builder, *call)) call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
}

// --- Which calls may be left
// ------------------------------------------------------------------------------

// Functions that a call may call. A pointer may be any function with no more parameters than there are
// arguments.
class CallTargets {
 public:
  explicit CallTargets(llvm::Module& module) {
    for (llvm::Function& function : module)
      if (!function.isIntrinsic() && function.hasAddressTaken()) pointed_to_.push_back(&function);
  }

  template <typename Visit>
  bool any(const llvm::CallBase& call, Visit visit) const {
    if (call.isInlineAsm()) return false;
    if (auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts()))
      return visit(*callee);
    return llvm::any_of(pointed_to_, [&](llvm::Function* function) {
      return function->arg_size() <= call.arg_size() && visit(*function);
    });
  }

 private:
  std::vector<llvm::Function*> pointed_to_;
};

class LeftFunctions {
 public:
  explicit LeftFunctions(llvm::Module& module) : targets_(module) {
    for (const char* name : {kUnwind, kSearch})
      if (const llvm::Function* primitive = module.getFunction(name)) left_.insert(primitive);
    for (bool more = true; more;) {
      more = false;
      for (llvm::Function& function : module)
        if (!function.isDeclaration() && !left_.contains(&function) && is_left(function)) {
          left_.insert(&function);
          more = true;
        }
    }
  }

  bool may_be_left(const llvm::CallBase& call) const {
    return targets_.any(call, [&](const llvm::Function& callee) { return left_.contains(&callee); });
  }

 private:
  bool is_left(llvm::Function& function) const {
    if (is_top(function)) return false;
    bool lands = false, resumes = false;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      resumes |= llvm::isa<llvm::ResumeInst>(instruction);
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || !may_be_left(*call)) continue;
      if (!llvm::isa<llvm::InvokeInst>(call)) return true;
      lands = true;
    }
    return lands && resumes;
  }

  CallTargets targets_;
  llvm::DenseSet<const llvm::Function*> left_;
};

// Every call that may be left becomes an `invoke`, and only those are.
class Marking {
 public:
  explicit Marking(llvm::Module& module) : module_(module), left_(module) {}

  void run() {
    for (llvm::Function& function : module_)
      if (!function.isDeclaration()) mark(function);
  }

 private:
  void mark(llvm::Function& function) {
    for (llvm::InvokeInst* invoke : all_of_kind<llvm::InvokeInst>(function))
      if (!left_.may_be_left(*invoke)) llvm::changeToCall(invoke);
    llvm::EliminateUnreachableBlocks(function);
    const bool may_not_be_left = function.hasPersonalityFn();
    pad_ = forbidding_pad_ = nullptr;
    for (llvm::CallInst* call : all_of_kind<llvm::CallInst>(function)) {
      if (!left_.may_be_left(*call)) continue;
      ensure_personality(function);
      // Where clang says that a call is not left, it has noted no landing pad, and the program is terminated.
      const bool forbidden = may_not_be_left && call->getAttributes().hasFnAttr(llvm::Attribute::NoUnwind);
      llvm::changeToInvokeAndSplitBasicBlock(call, forbidden ? forbidding_pad(function) : pad(function));
    }
  }

  void start_pad(llvm::IRBuilder<>& builder, llvm::Function& function) {
    if (llvm::DISubprogram* scope = function.getSubprogram())
      builder.SetCurrentDebugLocation(
          llvm::DILocation::get(module_.getContext(), scope->getLine(), 1, scope));
    auto* type = llvm::StructType::get(builder.getPtrTy(), builder.getInt32Ty());
    builder.CreateLandingPad(type, 0)->setCleanup(true);
  }

  // Goes on to the caller.
  llvm::BasicBlock* pad(llvm::Function& function) {
    if (pad_ != nullptr) return pad_;
    pad_ = llvm::BasicBlock::Create(module_.getContext(), "left", &function);
    llvm::IRBuilder<> builder(pad_);
    start_pad(builder, function);
    if (is_top(function)) {
      builder.CreateCall(module_.getOrInsertFunction("__weir_leave_unwound", builder.getVoidTy()));
      builder.CreateUnreachable();
    } else {
      builder.CreateResume(llvm::PoisonValue::get(pad_->getLandingPadInst()->getType()));
    }
    return pad_;
  }

  llvm::BasicBlock* forbidding_pad(llvm::Function& function) {
    if (forbidding_pad_ != nullptr) return forbidding_pad_;
    forbidding_pad_ = llvm::BasicBlock::Create(module_.getContext(), "forbidden", &function);
    llvm::IRBuilder<> builder(forbidding_pad_);
    start_pad(builder, function);
    llvm::PointerType* pointer = builder.getPtrTy();
    forbidding_pad_->getLandingPadInst()->addClause(llvm::ConstantPointerNull::get(pointer));
    llvm::Value* token = builder.CreateCall(module_.getOrInsertFunction("__weir_landed", pointer));
    builder.CreateCall(module_.getOrInsertFunction("__weir_not_caught_here", builder.getVoidTy(), pointer),
                       {token});
    builder.CreateUnreachable();
    return forbidding_pad_;
  }

  llvm::Module& module_;
  LeftFunctions left_;
  llvm::BasicBlock *pad_ = nullptr, *forbidding_pad_ = nullptr;
};

// The library describes fundamental types; nobody looks into them.
void define_type_infos(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isDeclaration() && variable.getName().starts_with("_ZTI")) {
      variable.setInitializer(llvm::Constant::getNullValue(variable.getValueType()));
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
}

// Does any call go to a landing pad that does more than to resume? Then functions have to be left one by one.
bool without_landing_pads(llvm::Module& module) {
  const LeftFunctions left(module);
  for (llvm::Function& function : module)
    for (const llvm::InvokeInst* invoke : all_of_kind<llvm::InvokeInst>(function))
      if (left.may_be_left(*invoke)) return false;
  return true;
}

// Nothing happens when a function is left: the thread ends where it calls pthread_exit, the program where it
// throws.
void end_at_once(llvm::Module& module) {
  replace_calls(module, kSearch, [&](llvm::IRBuilder<>& builder, llvm::CallBase& call) {
    builder.CreateCall(module.getOrInsertFunction("__weir_uncaught", builder.getVoidTy(), builder.getPtrTy()),
                       {call.getArgOperand(0)});
    return nullptr;
  });
  replace_calls(module, kUnwind, [&](llvm::IRBuilder<>& builder, llvm::CallBase&) {
    builder.CreateCall(module.getOrInsertFunction("__weir_thread_stop", builder.getVoidTy()));
    return nullptr;
  });
  for (llvm::Function& function : module)
    for (llvm::InvokeInst* invoke : all_of_kind<llvm::InvokeInst>(function)) llvm::changeToCall(invoke);
}

// --- After inlining
// ------------------------------------------------------------------------------

class Settlement {
 public:
  Settlement(llvm::Module& module, std::vector<llvm::GlobalVariable*> thrown)
      : module_(module), context_(module.getContext()), thrown_(std::move(thrown)), targets_(module) {}

  void run() {
    find_outer_handlers();
    for (llvm::Function& function : module_) {
      if (function.isDeclaration()) continue;
      for (llvm::InvokeInst* invoke : all_of_kind<llvm::InvokeInst>(function)) settle(*invoke);
      for (llvm::CallInst* call : all_of_kind<llvm::CallInst>(function)) settle(*call);
      for (llvm::ResumeInst* leaving : all_of_kind<llvm::ResumeInst>(function)) settle(*leaving);
      llvm::EliminateUnreachableBlocks(function);
      if (function.hasPersonalityFn()) function.setPersonalityFn(nullptr);
    }
  }

 private:
  using Handlers = std::vector<Clause>;

  static bool add(Handlers& handlers, const Clause& clause) {
    if (llvm::is_contained(handlers, clause)) return false;
    handlers.push_back(clause);
    return true;
  }

  // The handlers that may be around a whole function, in its callers.
  void find_outer_handlers() {
    for (bool more = true; more;) {
      more = false;
      for (llvm::Function& function : module_)
        for (const llvm::InvokeInst* invoke : all_of_kind<llvm::InvokeInst>(function)) {
          const Handlers around = handlers_around(*invoke);
          targets_.any(*invoke, [&](const llvm::Function& callee) {
            for (const Clause& clause : around) more |= add(outer_[&callee], clause);
            return false;
          });
        }
    }
  }

  Handlers handlers_around(const llvm::InvokeInst& invoke) const {
    Handlers handlers = clauses_of(*invoke.getLandingPadInst());
    if (const auto outer = outer_.find(invoke.getFunction()); outer != outer_.end())
      for (const Clause& clause : outer->second) add(handlers, clause);
    return handlers;
  }

  void settle(llvm::InvokeInst& invoke) {
    if (calls(invoke, kSearch)) return settle_search(invoke);
    if (calls(invoke, kUnwind)) return settle_unwind(invoke);
    llvm::BasicBlock* pad = invoke.getUnwindDest();
    llvm::BasicBlock* block = invoke.getParent();
    auto* left = llvm::BasicBlock::Create(context_, "left", block->getParent(), block->getNextNode());
    const llvm::DebugLoc where = invoke.getDebugLoc();
    land(*left, *pad, *block);
    llvm::BasicBlock* normal = invoke.getNormalDest();
    llvm::changeToCall(&invoke);
    llvm::IRBuilder<> builder(block->getTerminator());
    builder.SetCurrentDebugLocation(where);
    llvm::Value* was_left = builder.CreateCall(helper("__weir_function_was_left", builder.getInt32Ty()));
    builder.CreateCondBr(builder.CreateIsNotNull(was_left), left, normal);
    block->getTerminator()->eraseFromParent();
  }

  // If no handler can be there, the program ends here.
  void settle_search(llvm::InvokeInst& invoke) {
    llvm::IRBuilder<> builder(&invoke);
    llvm::Value* type = invoke.getArgOperand(0);
    llvm::Value* caught = is_caught(builder, type, handlers_around(invoke), thrown_);
    auto* uncaught = llvm::BasicBlock::Create(context_, "uncaught", invoke.getFunction());
    builder.CreateCondBr(caught, invoke.getNormalDest(), uncaught);
    report_uncaught(*uncaught, type, invoke.getDebugLoc());
    invoke.getUnwindDest()->removePredecessor(invoke.getParent());
    invoke.eraseFromParent();
  }

  void report_uncaught(llvm::BasicBlock& block, llvm::Value* type, const llvm::DebugLoc& where) {
    llvm::IRBuilder<> builder(&block);
    builder.SetCurrentDebugLocation(where);
    builder.CreateCall(
        module_.getOrInsertFunction("__weir_uncaught", builder.getVoidTy(), builder.getPtrTy()), {type});
    builder.CreateUnreachable();
  }

  void settle_unwind(llvm::InvokeInst& invoke) {
    llvm::BasicBlock* block = invoke.getParent();
    llvm::BasicBlock* pad = invoke.getUnwindDest();
    auto* jump = llvm::BasicBlock::Create(context_, "unwind", block->getParent(), block->getNextNode());
    land(*jump, *pad, *block);
    llvm::BasicBlock* normal = invoke.getNormalDest();
    normal->removePredecessor(block);
    pad->removePredecessor(block);
    const llvm::DebugLoc where = invoke.getDebugLoc();
    invoke.eraseFromParent();
    llvm::BranchInst::Create(jump, block)->setDebugLoc(where);
  }

  // Calls that are said not to be left, and leave their function all the same.
  void settle(llvm::CallInst& call) {
    if (calls(call, kSearch)) {
      llvm::BasicBlock* rest = call.getParent()->splitBasicBlock(call.getNextNode());
      llvm::IRBuilder<> builder(&call);
      const auto outer = outer_.find(call.getFunction());
      llvm::Value* caught = is_caught(builder, call.getArgOperand(0),
                                      outer == outer_.end() ? Handlers() : outer->second, thrown_);
      auto* uncaught = llvm::BasicBlock::Create(context_, "uncaught", call.getFunction());
      report_uncaught(*uncaught, call.getArgOperand(0), call.getDebugLoc());
      llvm::Instruction* jump = call.getParent()->getTerminator();
      call.eraseFromParent();
      llvm::BranchInst::Create(rest, uncaught, caught, jump->getIterator());
      jump->eraseFromParent();
    } else if (calls(call, kUnwind)) {
      leave(call);
    }
  }

  void settle(llvm::ResumeInst& leaving) { leave(leaving); }

  // The function returns, and its caller looks why.
  void leave(llvm::Instruction& leaving) {
    llvm::Function& function = *leaving.getFunction();
    llvm::IRBuilder<> builder(&leaving);
    builder.SetCurrentDebugLocation(leaving.getDebugLoc());
    const bool top = is_top(function);
    builder.CreateCall(helper(top ? "__weir_leave_unwound" : "__weir_leave_function", builder.getVoidTy()));
    if (top) {
      builder.CreateUnreachable();
    } else if (function.getReturnType()->isVoidTy()) {
      builder.CreateRetVoid();
    } else {
      builder.CreateRet(llvm::Constant::getNullValue(function.getReturnType()));
    }
    llvm::BasicBlock* block = leaving.getParent();
    for (llvm::BasicBlock* next : llvm::successors(block)) next->removePredecessor(block);
    const llvm::Instruction* last = leaving.getPrevNode();
    while (&block->back() != last) block->back().eraseFromParent();
  }

  llvm::FunctionCallee helper(const char* name, llvm::Type* result) {
    return module_.getOrInsertFunction(name, result);
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  std::vector<llvm::GlobalVariable*> thrown_;
  CallTargets targets_;
  llvm::DenseMap<const llvm::Function*, Handlers> outer_;
};

llvm::Value* lasting(llvm::Value* text) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(text->stripInBoundsConstantOffsets());
  const bool lasts = variable != nullptr && variable->isConstant() && llvm::isa<llvm::Constant>(text);
  return lasts ? text : llvm::Constant::getNullValue(text->getType());
}

}  // namespace

void ensure_personality(llvm::Function& function) {
  if (function.hasPersonalityFn()) return;
  auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(function.getContext()), true);
  function.setPersonalityFn(llvm::cast<llvm::Constant>(
      function.getParent()->getOrInsertFunction("__gxx_personality_v0", type).getCallee()));
}

void drop_needless_invokes(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::InvokeInst* invoke : all_of_kind<llvm::InvokeInst>(function))
      if (is_harmless(*invoke)) llvm::changeToCall(invoke);
}

void declare_unwinding(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* nothing = llvm::Type::getVoidTy(context);
  llvm::Type* number = llvm::Type::getInt32Ty(context);
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  module.getOrInsertFunction("__weir_landed", pointer);
  module.getOrInsertFunction("__weir_resume", nothing, pointer);
  module.getOrInsertFunction("__weir_type_of", pointer, pointer);
  module.getOrInsertFunction("__weir_object_of", pointer, pointer);
  module.getOrInsertFunction("__weir_adjust", nothing, pointer, pointer);
  module.getOrInsertFunction("__weir_leave_function", nothing);
  module.getOrInsertFunction("__weir_function_was_left", number);
  module.getOrInsertFunction("__weir_leave_unwound", nothing);
  module.getOrInsertFunction("__weir_not_caught_here", nothing, pointer);
}

llvm::ArrayRef<const char*> unwinding_functions() { return kFunctions; }

ThrownTypes prepare_unwinding(llvm::Module& module, bool new_fails) {
  replace_calls(module, "__weir_new_fails", [&](llvm::IRBuilder<>& builder, llvm::CallBase&) -> llvm::Value* {
    if (!new_fails) return builder.getInt32(0);
    return builder.CreateCall(module.getOrInsertFunction("__weir_allocation_fails", builder.getInt32Ty()));
  });
  explain_terminate(module);
  if (has_any<llvm::LandingPadInst>(module)) drop_unused_globals(module, kFunctions);
  const std::vector<llvm::GlobalVariable*> thrown = thrown_types(module);
  const bool at_once = without_landing_pads(module);
  replace_calls(module, "__weir_unwinds", [&](llvm::IRBuilder<>& builder, llvm::CallBase&) {
    return builder.getInt32(at_once ? 0 : 1);
  });
  if (at_once) {
    end_at_once(module);
  } else {
    translate_landing_pads(module, thrown);
    Marking(module).run();
  }
  module.getOrInsertFunction("__weir_uncaught", llvm::Type::getVoidTy(module.getContext()),
                             llvm::PointerType::getUnqual(module.getContext()));
  define_reports(module, thrown);
  define_type_infos(module);
  return ThrownTypes(thrown.begin(), thrown.end());
}

bool settle_unwinding(llvm::Module& module, const ThrownTypes& thrown) {
  replace_calls(module, "__weir_lasting_text",
                [](llvm::IRBuilder<>&, llvm::CallBase& call) { return lasting(call.getArgOperand(0)); });
  if (!has_any<llvm::LandingPadInst>(module) && !has_any<llvm::ResumeInst>(module)) return false;
  std::vector<llvm::GlobalVariable*> types;
  for (const llvm::WeakVH& type : thrown)
    if (type) types.push_back(llvm::cast<llvm::GlobalVariable>(&*type));
  Settlement(module, std::move(types)).run();
  return true;
}

void land(llvm::BasicBlock& from, llvm::BasicBlock& pad, const llvm::BasicBlock& incoming) {
  llvm::LandingPadInst* landing = pad.getLandingPadInst();
  WEIR_CHECK(landing != nullptr, "an invoke leads to a landing pad");
  // What others jump to is behind the pad, and the pad's values are merged there with theirs.
  llvm::BasicBlock* body = pad.splitBasicBlock(landing->getNextNode(), "landed");
  for (llvm::PHINode& value : pad.phis()) {
    auto* merged = llvm::PHINode::Create(value.getType(), 2, value.getName());
    merged->insertBefore(body->begin());
    merged->setDebugLoc(value.getDebugLoc());
    value.replaceAllUsesWith(merged);
    merged->addIncoming(&value, &pad);
    merged->addIncoming(value.getIncomingValueForBlock(&incoming), &from);
  }
  llvm::BranchInst::Create(body, &from)->setDebugLoc(landing->getDebugLoc());
}

void inherit_handlers(llvm::LandingPadInst& inner, const llvm::LandingPadInst& outer) {
  const std::vector<Clause> known = clauses_of(inner);
  for (unsigned i = 0; i < outer.getNumClauses(); ++i)
    if (!llvm::is_contained(known, Clause{outer.getClause(i), outer.isFilter(i)}))
      inner.addClause(outer.getClause(i));
}

}  // namespace weir::c
