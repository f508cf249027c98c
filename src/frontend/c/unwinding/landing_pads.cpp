#include "frontend/c/unwinding/landing_pads.hpp"

#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <map>

#include "base/error.hpp"
#include "frontend/c/unwinding/exception_types.hpp"

namespace weir::c {

namespace {

// The types that a filter lists.
std::vector<llvm::Constant*> listed(const Clause& clause) {
  std::vector<llvm::Constant*> types;
  for (std::uint64_t i = 0; i < clause.types->getType()->getArrayNumElements(); ++i)
    types.push_back(clause.types->getAggregateElement(static_cast<unsigned>(i)));
  return types;
}

llvm::GlobalVariable* type_of(llvm::Constant* handler) {
  return llvm::dyn_cast<llvm::GlobalVariable>(handler->stripPointerCasts());
}

llvm::Value* is_type(llvm::IRBuilder<>& builder, llvm::Value* type, llvm::Constant* handler,
                     const std::vector<llvm::GlobalVariable*>& thrown) {
  if (handler->isNullValue()) return builder.getTrue();
  llvm::Value* found = builder.getFalse();
  llvm::GlobalVariable* caught = type_of(handler);
  for (llvm::GlobalVariable* candidate : thrown)
    if (caught != nullptr && conversion(*candidate, *caught))
      found = builder.CreateOr(found, builder.CreateICmpEQ(type, candidate));
  return found;
}

class LandingPadTranslation {
 public:
  LandingPadTranslation(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& thrown)
      : module_(module), context_(module.getContext()), thrown_(thrown) {}

  void run() {
    for (llvm::Function& function : module_) {
      std::vector<llvm::Instruction*> found;
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (llvm::isa<llvm::LandingPadInst, llvm::ResumeInst, llvm::IntrinsicInst, llvm::GetElementPtrInst>(
                instruction))
          found.push_back(&instruction);
      for (llvm::Instruction* instruction : found) translate(*instruction);
    }
    replace_terminate();
  }

 private:
  void translate(llvm::Instruction& instruction) {
    if (auto* pad = llvm::dyn_cast<llvm::LandingPadInst>(&instruction)) return translate_pad(*pad);
    if (auto* leaving = llvm::dyn_cast<llvm::ResumeInst>(&instruction)) return translate_resume(*leaving);
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return find_object(*address);
    auto& intrinsic = llvm::cast<llvm::IntrinsicInst>(instruction);
    if (intrinsic.getIntrinsicID() != llvm::Intrinsic::eh_typeid_for) return;
    auto* type = llvm::dyn_cast<llvm::Constant>(intrinsic.getArgOperand(0)->stripPointerCasts());
    if (type == nullptr) return;
    intrinsic.replaceAllUsesWith(llvm::ConstantInt::get(intrinsic.getType(), number_of({type, false})));
    intrinsic.eraseFromParent();
  }

  std::uint64_t number_of(const Clause& clause) {
    return numbers_.try_emplace({clause.types, clause.is_filter}, numbers_.size() + 1).first->second;
  }

  llvm::FunctionCallee helper(const char* name, llvm::Type* result,
                              std::initializer_list<llvm::Type*> parameters) {
    return module_.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  }

  llvm::PointerType* pointer() const { return llvm::PointerType::getUnqual(context_); }

  // Behind the pad: one test after the other, until one finds its handler, and then what was there before.
  void translate_pad(llvm::LandingPadInst& pad) {
    llvm::BasicBlock* block = pad.getParent();
    llvm::BasicBlock* landed = block->splitBasicBlock(pad.getNextNode(), "landed");
    llvm::BasicBlock* chosen = landed->splitBasicBlock(landed->begin(), "chosen");
    landed->getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(landed);
    builder.SetCurrentDebugLocation(pad.getDebugLoc());
    llvm::Value* token = builder.CreateCall(helper("__weir_landed", pointer(), {}));
    auto* selector = llvm::PHINode::Create(builder.getInt32Ty(), 2, "selector");
    selector->insertBefore(chosen->begin());
    for (const Clause& clause : clauses_of(pad)) {
      const auto number = static_cast<std::int64_t>(number_of(clause));
      llvm::Value* hit = builder.CreateCall(test_of(clause), {token});
      auto* next = llvm::BasicBlock::Create(context_, "next", block->getParent(), chosen);
      builder.CreateCondBr(hit, chosen, next);
      selector->addIncoming(
          llvm::ConstantInt::getSigned(builder.getInt32Ty(), clause.is_filter ? -number : number),
          builder.GetInsertBlock());
      builder.SetInsertPoint(next);
    }
    builder.CreateBr(chosen);
    selector->addIncoming(builder.getInt32(0), builder.GetInsertBlock());
    replace_result(pad, token, selector, *chosen);
  }

  void replace_result(llvm::LandingPadInst& pad, llvm::Value* token, llvm::PHINode* selector,
                      llvm::BasicBlock& chosen) {
    for (llvm::User* user : llvm::make_early_inc_range(pad.users())) {
      auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
      if (part == nullptr || part->getNumIndices() != 1) continue;
      part->replaceAllUsesWith(part->getIndices()[0] == 0 ? token : selector);
      part->eraseFromParent();
    }
    if (pad.use_empty()) return;
    llvm::IRBuilder<> builder(&chosen, chosen.getFirstInsertionPt());
    builder.SetCurrentDebugLocation(pad.getDebugLoc());
    llvm::Value* pair = builder.CreateInsertValue(llvm::PoisonValue::get(pad.getType()), token, 0);
    pad.replaceAllUsesWith(builder.CreateInsertValue(pair, selector, 1));
  }

  // bool (token): finds out whether the handler is the right one, and notes what it gets.
  llvm::Function* test_of(const Clause& clause) {
    llvm::Function*& test = tests_[{clause.types, clause.is_filter}];
    if (test != nullptr) return test;
    auto* type = llvm::FunctionType::get(llvm::Type::getInt1Ty(context_), {pointer()}, false);
    test = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "__weir_catches", module_);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context_, "entry", test));
    clause.is_filter ? define_filter(builder, *test, clause) : define_test(builder, *test, clause.types);
    return test;
  }

  void define_filter(llvm::IRBuilder<>& builder, llvm::Function& test, const Clause& clause) {
    llvm::Value* type =
        builder.CreateCall(helper("__weir_type_of", pointer(), {pointer()}), {test.getArg(0)});
    builder.CreateRet(is_caught(builder, type, {clause}, thrown_));
  }

  void define_test(llvm::IRBuilder<>& builder, llvm::Function& test, llvm::Constant* handler) {
    llvm::Value* token = test.getArg(0);
    llvm::Value* type = builder.CreateCall(helper("__weir_type_of", pointer(), {pointer()}), {token});
    llvm::Value* object = builder.CreateCall(helper("__weir_object_of", pointer(), {pointer()}), {token});
    const auto adjust = helper("__weir_adjust", builder.getVoidTy(), {pointer(), pointer()});
    if (handler->isNullValue()) {
      builder.CreateCall(adjust, {token, object});
      builder.CreateRet(builder.getTrue());
      return;
    }
    llvm::GlobalVariable* caught = type_of(handler);
    for (llvm::GlobalVariable* candidate : thrown_) {
      const auto found = caught == nullptr ? std::nullopt : conversion(*candidate, *caught);
      if (!found) continue;
      auto* hit = llvm::BasicBlock::Create(context_, "hit", &test);
      auto* next = llvm::BasicBlock::Create(context_, "next", &test);
      builder.CreateCondBr(builder.CreateICmpEQ(type, candidate), hit, next);
      builder.SetInsertPoint(hit);
      builder.CreateCall(adjust, {token, converted(builder, object, *found)});
      builder.CreateRet(builder.getTrue());
      builder.SetInsertPoint(next);
    }
    builder.CreateRet(builder.getFalse());
  }

  void translate_resume(llvm::ResumeInst& leaving) {
    llvm::IRBuilder<> builder(&leaving);
    llvm::Value* pair = leaving.getValue();
    if (llvm::isa<llvm::UndefValue>(pair) || !pair->getType()->isStructTy()) {  // it is nobody's exception
      builder.CreateUnreachable();
      leaving.eraseFromParent();
      return;
    }
    llvm::Value* token = llvm::FindInsertedValue(pair, {0});
    if (token == nullptr) token = builder.CreateExtractValue(pair, 0);
    builder.CreateCall(helper("__weir_resume", builder.getVoidTy(), {pointer()}), {token});
    leaving.setOperand(0, llvm::PoisonValue::get(pair->getType()));
  }

  // A handler that gets a reference to a pointer finds the object behind the head of the exception.
  void find_object(llvm::GetElementPtrInst& address) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(address.getPointerOperand());
    if (load == nullptr || !load->getPointerOperand()->getName().starts_with("exn.slot")) return;
    llvm::IRBuilder<> builder(&address);
    address.replaceAllUsesWith(builder.CreateCall(helper("__weir_object_of", pointer(), {pointer()}),
                                                  {address.getPointerOperand()}));
    address.eraseFromParent();
  }

  // Clang defines what a function that is noexcept calls.
  void replace_terminate() {
    llvm::Function* terminate = module_.getFunction("__clang_call_terminate");
    if (terminate == nullptr || terminate->isDeclaration()) return;
    terminate->deleteBody();
    terminate->setLinkage(llvm::GlobalValue::InternalLinkage);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context_, "entry", terminate));
    builder.CreateCall(helper("__weir_not_caught_here", builder.getVoidTy(), {pointer()}),
                       {terminate->getArg(0)});
    builder.CreateUnreachable();
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const std::vector<llvm::GlobalVariable*>& thrown_;
  std::map<std::pair<llvm::Constant*, bool>, std::uint64_t> numbers_;
  std::map<std::pair<llvm::Constant*, bool>, llvm::Function*> tests_;
};

bool is_of_thread(const llvm::Function& function) {
  return function.getName().starts_with("_ZNSt6threadD") || function.getName().starts_with("_ZNSt6threadaS");
}

void define_report(llvm::Module& module, const char* name, const char* message,
                   const std::vector<llvm::GlobalVariable*>& thrown) {
  llvm::Function* report = module.getFunction(name);
  if (report == nullptr || !report->isDeclaration()) return;
  report->setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "entry", report));
  const auto fail = module.getOrInsertFunction("__weir_fail", builder.getVoidTy(), builder.getPtrTy());
  const auto say = [&](const std::string& type) {
    builder.CreateCall(fail, {builder.CreateGlobalString(fmt::format(fmt::runtime(message), type), "what")});
    builder.CreateUnreachable();
  };
  for (llvm::GlobalVariable* type : thrown) {
    auto* hit = llvm::BasicBlock::Create(module.getContext(), "hit", report);
    auto* next = llvm::BasicBlock::Create(module.getContext(), "next", report);
    builder.CreateCondBr(builder.CreateICmpEQ(report->getArg(0), type), hit, next);
    builder.SetInsertPoint(hit);
    say(fmt::format(" of type {}", type_name(*type)));
    builder.SetInsertPoint(next);
  }
  say("");
}

}  // namespace

std::vector<Clause> clauses_of(const llvm::LandingPadInst& pad) {
  std::vector<Clause> clauses;
  for (unsigned i = 0; i < pad.getNumClauses(); ++i) {
    llvm::Constant* types = pad.getClause(i);
    if (pad.isFilter(i))
      clauses.push_back({types, true});
    else
      clauses.push_back({llvm::cast<llvm::Constant>(types->stripPointerCasts()), false});
  }
  return clauses;
}

llvm::Value* is_caught(llvm::IRBuilder<>& builder, llvm::Value* type, const std::vector<Clause>& clauses,
                       const std::vector<llvm::GlobalVariable*>& thrown) {
  llvm::Value* found = builder.getFalse();
  for (const Clause& clause : clauses) {
    if (!clause.is_filter) {
      found = builder.CreateOr(found, is_type(builder, type, clause.types, thrown));
      continue;
    }
    llvm::Value* allowed = builder.getFalse();
    for (llvm::Constant* handler : listed(clause))
      allowed = builder.CreateOr(allowed, is_type(builder, type, handler, thrown));
    found = builder.CreateOr(found, builder.CreateNot(allowed));
  }
  return found;
}

void translate_landing_pads(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& thrown) {
  LandingPadTranslation(module, thrown).run();
}

void explain_terminate(llvm::Module& module) {
  for (const char* name : {"_ZSt11__terminatev", "_ZSt9terminatev"}) {
    const llvm::Function* terminate = module.getFunction(name);
    if (terminate == nullptr) continue;
    for (const llvm::User* user : terminate->users()) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(const_cast<llvm::User*>(user));
      if (call == nullptr || call->getCalledFunction() != terminate || !is_of_thread(*call->getFunction()))
        continue;
      llvm::IRBuilder<> builder(call);
      builder.CreateCall(
          module.getOrInsertFunction("__weir_fail", builder.getVoidTy(), builder.getPtrTy()),
          {builder.CreateGlobalString(
              "std::terminate() is called: a std::thread is destroyed, or assigned to, while it is joinable",
              "what")});
    }
  }
}

void define_reports(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& thrown) {
  define_report(module, "__weir_uncaught", "uncaught exception{}", thrown);
  define_report(
      module, "__weir_not_allowed",
      "std::terminate() is called: an exception{} leaves a function that is noexcept, or a destructor",
      thrown);
}

}  // namespace weir::c
