#include "native/instrumentation/chance_failures.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace weir::native {

namespace {

using namespace llvm;

std::vector<AtomicCmpXchgInst*> weak_exchanges(Function& function) {
  std::vector<AtomicCmpXchgInst*> found;
  for (Instruction& instruction : instructions(function))
    if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction); exchange != nullptr && exchange->isWeak())
      found.push_back(exchange);
  return found;
}

// One that fails by chance is a load, of the order that a failure has.
void let_fail(AtomicCmpXchgInst& exchange, const Runtime& runtime) {
  exchange.setWeak(false);
  IRBuilder<> builder(&exchange);
  Value* fails = builder.CreateIsNotNull(builder.CreateCall(runtime.fails));
  Instruction *failing = nullptr, *trying = nullptr;
  SplitBlockAndInsertIfThenElse(fails, exchange.getIterator(), &failing, &trying);
  BasicBlock* end = exchange.getParent();
  exchange.moveBefore(trying);
  builder.SetInsertPoint(failing);
  builder.SetCurrentDebugLocation(exchange.getDebugLoc());
  LoadInst* found = builder.CreateAlignedLoad(exchange.getCompareOperand()->getType(),
                                              exchange.getPointerOperand(), exchange.getAlign());
  found->setAtomic(exchange.getFailureOrdering(), exchange.getSyncScopeID());
  Value* failed = builder.CreateInsertValue(PoisonValue::get(exchange.getType()), found, 0);
  failed = builder.CreateInsertValue(failed, builder.getFalse(), 1);
  builder.SetInsertPoint(end, end->begin());
  PHINode* result = builder.CreatePHI(exchange.getType(), 2);
  exchange.replaceAllUsesWith(result);
  result->addIncoming(failed, failing->getParent());
  result->addIncoming(&exchange, trying->getParent());
}

bool is_try_lock(const Function& function) {
  const StringRef name = function.getName();
  if (!name.starts_with("_ZNSt") || !function.getReturnType()->isIntegerTy(1)) return false;
  return name.ends_with("8try_lockEv") || name.ends_with("15try_lock_sharedEv");
}

void return_false_by_chance(Function& function, const Runtime& runtime) {
  BasicBlock& entry = function.getEntryBlock();
  Instruction* first = &*entry.getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> builder(first);
  if (DISubprogram* scope = function.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(function.getContext(), scope->getLine(), 1, scope));
  Value* fails = builder.CreateIsNotNull(builder.CreateCall(runtime.fails));
  Instruction* failing = SplitBlockAndInsertIfThen(fails, first->getIterator(), false);
  ReplaceInstWithInst(failing, ReturnInst::Create(function.getContext(), builder.getFalse()));
}

}  // namespace

void add_chance_failures(Function& function, const Runtime& runtime) {
  for (AtomicCmpXchgInst* exchange : weak_exchanges(function)) let_fail(*exchange, runtime);
  if (is_try_lock(function)) return_false_by_chance(function, runtime);
}

}  // namespace weir::native
