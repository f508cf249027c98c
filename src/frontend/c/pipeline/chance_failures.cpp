#include "frontend/c/pipeline/chance_failures.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <map>
#include <vector>

namespace weir::c {

namespace {

constexpr const char* kFails = "__weir_fails_by_chance";
constexpr const char* kAssumption = "__weir_assumption";
constexpr const char* kExchangePhrase = "compare_exchange_weak fails only if it finds another value";
constexpr const char* kTryLockPhrase = "try_lock fails only if the lock is taken";

// Which instructions a thread may execute again and again.
class Repetition {
 public:
  explicit Repetition(llvm::Module& module) {
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) look_at(function);
    for (bool more = true; more;) {
      more = false;
      for (const Call& call : calls_)
        if (is_repeated(*call.site) || reaches(call.target, call.site->getFunction()))
          more |= repeated_.insert(call.target).second;
    }
  }

  bool is_repeated(const llvm::Instruction& instruction) const {
    return in_loops_.contains(instruction.getParent()) || repeated_.contains(instruction.getFunction());
  }

 private:
  struct Call {
    const llvm::CallBase* site;
    const llvm::Function* target;
  };

  void look_at(llvm::Function& function) {
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (const llvm::BasicBlock& block : function)
      if (loops.getLoopFor(&block) != nullptr) in_loops_.insert(&block);
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) add_targets(*call);
  }

  // A pointer may be any function of that type whose address is taken.
  void add_targets(const llvm::CallBase& call) {
    if (const llvm::Function* target = call.getCalledFunction()) return add(call, *target);
    for (const llvm::Function& function : *call.getModule())
      if (function.hasAddressTaken() && function.getFunctionType() == call.getFunctionType())
        add(call, function);
  }

  void add(const llvm::CallBase& call, const llvm::Function& target) {
    if (target.isDeclaration()) return;
    calls_.push_back({&call, &target});
    callees_[call.getFunction()].push_back(&target);
  }

  // By calls, however many: is it called by itself?
  bool reaches(const llvm::Function* from, const llvm::Function* to) const {
    llvm::DenseSet<const llvm::Function*> met{from};
    std::vector<const llvm::Function*> open{from};
    while (!open.empty()) {
      const llvm::Function* next = open.back();
      open.pop_back();
      if (next == to) return true;
      const auto called = callees_.find(next);
      if (called == callees_.end()) continue;
      for (const llvm::Function* callee : called->second)
        if (met.insert(callee).second) open.push_back(callee);
    }
    return false;
  }

  llvm::DenseSet<const llvm::BasicBlock*> in_loops_;
  llvm::DenseSet<const llvm::Function*> repeated_;
  std::vector<Call> calls_;
  std::map<const llvm::Function*, std::vector<const llvm::Function*>> callees_;
};

llvm::Value* phrase(llvm::IRBuilder<>& builder, const char* text) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  auto* content = llvm::ConstantDataArray::getString(module.getContext(), text);
  return new llvm::GlobalVariable(module, content->getType(), true, llvm::GlobalValue::InternalLinkage,
                                  content, "what");
}

// Whether to fail, as a bit.
llvm::Value* ask(llvm::IRBuilder<>& builder, const char* assumption) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  const auto fails = module.getOrInsertFunction(kFails, builder.getInt32Ty(), builder.getPtrTy());
  return builder.CreateIsNotNull(builder.CreateCall(fails, {phrase(builder, assumption)}));
}

// One that fails by chance is a load of the order that a failure has.
void let_fail(llvm::AtomicCmpXchgInst& exchange) {
  exchange.setWeak(false);
  llvm::IRBuilder<> builder(&exchange);
  llvm::Value* const fails = ask(builder, kExchangePhrase);
  llvm::Instruction *failing = nullptr, *trying = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(fails, exchange.getIterator(), &failing, &trying);
  exchange.moveBefore(trying);

  builder.SetInsertPoint(failing);
  builder.SetCurrentDebugLocation(exchange.getDebugLoc());
  llvm::Type* const type = exchange.getCompareOperand()->getType();
  llvm::LoadInst* const found =
      builder.CreateAlignedLoad(type, exchange.getPointerOperand(), exchange.getAlign());
  found->setAtomic(exchange.getFailureOrdering(), exchange.getSyncScopeID());
  llvm::Value* failed = builder.CreateInsertValue(llvm::PoisonValue::get(exchange.getType()), found, 0);
  failed = builder.CreateInsertValue(failed, builder.getFalse(), 1);

  llvm::BasicBlock* const end = trying->getSuccessor(0);
  auto* const result = llvm::PHINode::Create(exchange.getType(), 2);
  result->insertBefore(end->begin());
  exchange.replaceAllUsesWith(result);
  result->addIncoming(failed, failing->getParent());
  result->addIncoming(&exchange, trying->getParent());
}

// Those of the standard library's classes, which call functions of POSIX that have a reason to fail.
bool is_try_lock(const llvm::Function& function) {
  return function.getName().starts_with("_ZNSt") && function.getReturnType()->isIntegerTy(1) &&
         (function.getName().ends_with("mutex8try_lockEv") ||
          function.getName().ends_with("mutex15try_lock_sharedEv") ||
          function.getName().ends_with("mutex_pthread8try_lockEv") ||
          function.getName().ends_with("mutex_pthread15try_lock_sharedEv"));
}

void let_fail(llvm::Function& try_lock) {
  llvm::BasicBlock& entry = try_lock.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  if (llvm::DISubprogram* const scope = try_lock.getSubprogram())
    builder.SetCurrentDebugLocation(llvm::DILocation::get(try_lock.getContext(), scope->getLine(), 1, scope));
  llvm::Value* const fails = ask(builder, kTryLockPhrase);
  llvm::Instruction* const failing =
      llvm::SplitBlockAndInsertIfThen(fails, builder.GetInsertPoint(), /*Unreachable=*/false);
  llvm::ReplaceInstWithInst(failing, llvm::ReturnInst::Create(try_lock.getContext(), builder.getFalse()));
}

// It does not fail; if wanted, the program says so.
void rule_out(llvm::CallInst& call, bool wanted) {
  llvm::IRBuilder<> builder(&call);
  const auto assumption =
      call.getModule()->getOrInsertFunction(kAssumption, builder.getVoidTy(), builder.getPtrTy());
  if (wanted) builder.CreateCall(assumption, {call.getArgOperand(0)});
  call.replaceAllUsesWith(builder.getInt32(0));
  call.eraseFromParent();
}

}  // namespace

void add_chance_failures(llvm::Module& module) {
  std::vector<llvm::AtomicCmpXchgInst*> exchanges;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
          exchange && exchange->isWeak())
        exchanges.push_back(exchange);
    if (is_try_lock(function)) let_fail(function);
  }
  for (llvm::AtomicCmpXchgInst* exchange : exchanges) let_fail(*exchange);
}

void decide_chance_failures(llvm::Module& module, bool wanted) {
  llvm::Function* const fails = module.getFunction(kFails);
  if (fails == nullptr) return;
  const Repetition repetition(module);
  std::vector<llvm::CallInst*> ruled_out;
  for (llvm::User* user : fails->users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && (!wanted || repetition.is_repeated(*call)))
      ruled_out.push_back(call);
  for (llvm::CallInst* call : ruled_out) rule_out(*call, wanted);
}

}  // namespace weir::c
