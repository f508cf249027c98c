// Changes of instructions that are there: their operands, operations, flags, orderings and places.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "fuzz/c_fuzz_mutation.hpp"

namespace weir::fuzz {

namespace {

using llvm::Instruction;

template <class Kind>
Kind* pick(Mutant& mutant) {
  return llvm::cast_or_null<Kind>(
      mutant.instruction([](const Instruction& i) { return llvm::isa<Kind>(i); }));
}

void replace_operand(Mutant& mutant) {
  Instruction* user = mutant.instruction(
      [](const Instruction& i) { return i.getNumOperands() > 0 && !llvm::isa<llvm::DbgInfoIntrinsic>(i); });
  if (user == nullptr || (mutant.defined && llvm::isa<llvm::AllocaInst>(user))) return;
  const auto index = static_cast<unsigned>(mutant.random.below(user->getNumOperands()));
  Instruction* end = user;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) end = phi->getIncomingBlock(index)->getTerminator();
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
    if (mutant.defined && !call->isDataOperand(&call->getOperandUse(index))) return;
  if (llvm::Value* other = mutant.value(user->getOperand(index)->getType(), *end))
    user->setOperand(index, other);
}

void change_operation(Mutant& mutant) {
  auto* old = pick<llvm::BinaryOperator>(mutant);
  if (old == nullptr) return;
  constexpr Instruction::BinaryOps kIntegers[] = {
      Instruction::Add,  Instruction::Sub,  Instruction::Mul, Instruction::SDiv, Instruction::UDiv,
      Instruction::SRem, Instruction::URem, Instruction::And, Instruction::Or,   Instruction::Xor,
      Instruction::Shl,  Instruction::LShr, Instruction::AShr};
  constexpr Instruction::BinaryOps kFloats[] = {Instruction::FAdd, Instruction::FSub, Instruction::FMul,
                                                Instruction::FDiv, Instruction::FRem};
  const auto operation =
      old->getType()->isFPOrFPVectorTy() ? mutant.random.any(kFloats) : mutant.random.any(kIntegers);
  auto* changed =
      llvm::BinaryOperator::Create(operation, old->getOperand(0), old->getOperand(1), "", old->getIterator());
  changed->setDebugLoc(old->getDebugLoc());
  old->replaceAllUsesWith(changed);
  old->eraseFromParent();
}

void change_predicate(Mutant& mutant) {
  auto* comparison = pick<llvm::CmpInst>(mutant);
  if (comparison == nullptr) return;
  const std::size_t choice = llvm::isa<llvm::FCmpInst>(comparison)
                                 ? mutant.random.below(llvm::CmpInst::LAST_FCMP_PREDICATE + 1)
                                 : llvm::CmpInst::FIRST_ICMP_PREDICATE + mutant.random.below(10);
  comparison->setPredicate(static_cast<llvm::CmpInst::Predicate>(choice));
}

void change_flags(Mutant& mutant) {
  Instruction* i = mutant.instruction([](const Instruction& candidate) {
    return llvm::isa<llvm::OverflowingBinaryOperator, llvm::PossiblyExactOperator, llvm::FPMathOperator,
                     llvm::GetElementPtrInst, llvm::PossiblyNonNegInst>(candidate);
  });
  if (i == nullptr) return;
  const bool on = mutant.random.one_in(2);
  if (llvm::isa<llvm::OverflowingBinaryOperator>(i)) i->setHasNoSignedWrap(on);
  if (llvm::isa<llvm::OverflowingBinaryOperator>(i)) i->setHasNoUnsignedWrap(!on);
  if (llvm::isa<llvm::PossiblyExactOperator>(i)) i->setIsExact(on);
  if (llvm::isa<llvm::FPMathOperator>(i)) i->setFast(on);
  if (llvm::isa<llvm::PossiblyNonNegInst>(i)) i->setNonNeg(on);
  if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(i)) gep->setIsInBounds(on);
}

llvm::AtomicOrdering ordering(Mutant& mutant) {
  constexpr llvm::AtomicOrdering kAll[] = {
      llvm::AtomicOrdering::Unordered,      llvm::AtomicOrdering::Monotonic,
      llvm::AtomicOrdering::Acquire,        llvm::AtomicOrdering::Release,
      llvm::AtomicOrdering::AcquireRelease, llvm::AtomicOrdering::SequentiallyConsistent};
  return mutant.random.any(kAll);
}

llvm::SyncScope::ID scope(Mutant& mutant) {
  if (mutant.random.one_in(4)) return llvm::SyncScope::SingleThread;
  if (mutant.random.one_in(6)) return mutant.context.getOrInsertSyncScopeID("workgroup");
  return llvm::SyncScope::System;
}

void change_ordering(Mutant& mutant) {
  Instruction* i = mutant.instruction([](const Instruction& candidate) {
    return llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst,
                     llvm::FenceInst>(candidate);
  });
  if (i == nullptr) return;
  const auto order = ordering(mutant);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(i)) load->setAtomic(order, scope(mutant));
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(i)) store->setAtomic(order, scope(mutant));
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(i)) {
    if (order != llvm::AtomicOrdering::Unordered) update->setOrdering(order);
    update->setSyncScopeID(scope(mutant));
  }
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(i)) {
    if (order != llvm::AtomicOrdering::Unordered) exchange->setSuccessOrdering(order);
    exchange->setWeak(mutant.random.one_in(2));
  }
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(i)) {
    fence->setOrdering(order);
    fence->setSyncScopeID(scope(mutant));
  }
}

void change_update(Mutant& mutant) {
  if (auto* update = pick<llvm::AtomicRMWInst>(mutant))
    update->setOperation(
        static_cast<llvm::AtomicRMWInst::BinOp>(mutant.random.below(llvm::AtomicRMWInst::LAST_BINOP + 1)));
}

void change_alignment(Mutant& mutant) {
  const llvm::Align alignment(std::uint64_t{1} << mutant.random.below(mutant.random.one_in(4) ? 33 : 6));
  Instruction* i = mutant.instruction([](const Instruction& candidate) {
    return llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AllocaInst, llvm::AtomicRMWInst>(candidate);
  });
  if (i == nullptr) return;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(i)) load->setAlignment(alignment);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(i)) store->setAlignment(alignment);
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(i)) variable->setAlignment(alignment);
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(i)) update->setAlignment(alignment);
}

void change_volatile(Mutant& mutant) {
  if (auto* load = pick<llvm::LoadInst>(mutant); load != nullptr && mutant.random.one_in(2))
    return load->setVolatile(!load->isVolatile());
  if (auto* store = pick<llvm::StoreInst>(mutant)) store->setVolatile(!store->isVolatile());
}

void remove(Mutant& mutant) {
  Instruction* old =
      mutant.instruction([](const Instruction& i) { return !i.isTerminator() && !i.isEHPad(); });
  if (old == nullptr) return;
  if (!old->getType()->isVoidTy() && !old->getType()->isTokenTy()) {
    llvm::Value* other = mutant.value(old->getType(), *old);
    old->replaceAllUsesWith(other == old ? mutant.constant(old->getType()) : other);
  }
  old->eraseFromParent();
}

void duplicate(Mutant& mutant) {
  Instruction* old = mutant.instruction([](const Instruction& i) {
    return !i.isTerminator() && !i.isEHPad() && !llvm::isa<llvm::PHINode>(i) && !i.getType()->isTokenTy();
  });
  if (old == nullptr) return;
  Instruction* copy = old->clone();
  copy->insertAfter(old);
  if (copy->getNextNode() != nullptr) mutant.keep(*copy, *copy->getNextNode());
}

void move(Mutant& mutant) {
  Instruction* moved = mutant.instruction(
      [](const Instruction& i) { return !i.isTerminator() && !i.isEHPad() && !llvm::isa<llvm::PHINode>(i); });
  Instruction* to = mutant.place();
  if (moved == nullptr || to == nullptr || moved == to) return;
  if (mutant.random.one_in(4) || moved->getNextNode()->isTerminator())
    moved->moveBefore(to);
  else
    moved->moveAfter(moved->getNextNode());
}

void exchange_operands(Mutant& mutant) {
  Instruction* i = mutant.instruction(
      [](const Instruction& candidate) { return llvm::isa<llvm::BinaryOperator, llvm::CmpInst>(candidate); });
  if (i == nullptr) return;
  llvm::Value* first = i->getOperand(0);
  i->setOperand(0, i->getOperand(1));
  i->setOperand(1, first);
}

// The same memory as a value of another type.
void change_accessed_type(Mutant& mutant) {
  auto* load = pick<llvm::LoadInst>(mutant);
  if (load == nullptr) return;
  llvm::Type* type = mutant.random.one_in(3) ? mutant.odd_type() : mutant.integer_type();
  auto* other = new llvm::LoadInst(type, load->getPointerOperand(), "", load->isVolatile(), load);
  other->setDebugLoc(load->getDebugLoc());
  mutant.keep(*other, *load);
}

void freeze(Mutant& mutant) {
  Instruction* i = mutant.instruction([](const Instruction& candidate) {
    return candidate.getType()->isSingleValueType() && !candidate.isTerminator() && !candidate.isEHPad() &&
           !llvm::isa<llvm::PHINode>(candidate);
  });
  if (i == nullptr) return;
  auto* frozen = new llvm::FreezeInst(i);
  frozen->insertAfter(i);
  i->replaceUsesWithIf(frozen, [&](const llvm::Use& use) { return use.getUser() != frozen; });
}

constexpr Mutation kInstructions[] = {
    {"replace an operand", replace_operand, true},
    {"replace an operand", replace_operand, true},
    {"change an operation", change_operation, true},
    {"change a predicate", change_predicate, true},
    {"change flags", change_flags},
    {"change an ordering", change_ordering, true},
    {"change an update", change_update, true},
    {"change an alignment", change_alignment},
    {"change volatile", change_volatile, true},
    {"remove an instruction", remove, true},
    {"duplicate an instruction", duplicate, true},
    {"move an instruction", move, true},
    {"exchange operands", exchange_operands, true},
    {"change an accessed type", change_accessed_type, true},
    {"freeze", freeze, true},
};

}  // namespace

std::span<const Mutation> instruction_mutations() { return kInstructions; }

}  // namespace weir::fuzz
