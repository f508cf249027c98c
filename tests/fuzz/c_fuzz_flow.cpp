// Changes of control flow: branches that go elsewhere, loops without end, recursion, switches, computed
// jumps, exceptions.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "fuzz/c_fuzz_mutation.hpp"

namespace weir::fuzz {

namespace {

using llvm::BasicBlock;
using llvm::Instruction;

// A new edge: every phi of the target gets a value for it.
void add_edge(Mutant& mutant, BasicBlock& from, BasicBlock& to) {
  for (llvm::PHINode& phi : to.phis()) {
    llvm::Value* value = mutant.value(phi.getType(), *from.getTerminator());
    phi.addIncoming(value == &phi ? mutant.constant(phi.getType()) : value, &from);
  }
}

BasicBlock* any_target(Mutant& mutant, llvm::Function& function) {
  std::vector<BasicBlock*> blocks;
  for (BasicBlock& block : function)
    if (!block.isEntryBlock() && !block.isEHPad()) blocks.push_back(&block);
  return blocks.empty() ? nullptr : mutant.random.any(blocks);
}

void redirect(Mutant& mutant) {
  Instruction* branch = mutant.instruction(
      [](const Instruction& i) { return llvm::isa<llvm::BranchInst, llvm::SwitchInst>(i); });
  if (branch == nullptr) return;
  BasicBlock* to = any_target(mutant, *branch->getFunction());
  if (to == nullptr) return;
  const auto index = static_cast<unsigned>(mutant.random.below(branch->getNumSuccessors()));
  branch->getSuccessor(index)->removePredecessor(branch->getParent(), true);
  branch->setSuccessor(index, to);
  add_edge(mutant, *branch->getParent(), *to);
}

void insert_branch(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  BasicBlock* to = any_target(mutant, *place->getFunction());
  BasicBlock* before = place->getParent();
  BasicBlock* after = before->splitBasicBlock(place);
  if (to == nullptr) return;
  llvm::IRBuilder<> builder(before->getTerminator());
  llvm::Value* condition = mutant.value(builder.getInt1Ty(), *before->getTerminator());
  add_edge(mutant, *before, *to);
  builder.CreateCondBr(condition, to, after);
  before->getTerminator()->eraseFromParent();
}

void insert_switch(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  BasicBlock* before = place->getParent();
  BasicBlock* after = before->splitBasicBlock(place);
  llvm::IRBuilder<> builder(before->getTerminator());
  llvm::Type* type =
      mutant.defined || mutant.random.one_in(2) ? mutant.integer_type() : builder.getInt128Ty();
  llvm::Value* tested =
      builder.CreateIntCast(mutant.value(builder.getInt32Ty(), *before->getTerminator()), type, true);
  BasicBlock* other = BasicBlock::Create(mutant.context, "", before->getParent(), after);
  llvm::IRBuilder<>(other).CreateBr(after);
  auto* choice = builder.CreateSwitch(tested, after);
  std::vector<llvm::ConstantInt*> cases;
  for (std::size_t n = mutant.random.below(mutant.random.one_in(50) ? 3000 : 8); n > 0; --n) {
    auto* one = llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(
        type, mutant.random.one_in(2) ? mutant.random.below(9) : mutant.random.bits()));
    if (choice->findCaseValue(one) == choice->case_default())
      choice->addCase(one, mutant.random.one_in(4) ? after : other);
  }
  before->getTerminator()->eraseFromParent();
}

void insert_computed_jump(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  BasicBlock* before = place->getParent();
  BasicBlock* after = before->splitBasicBlock(place);
  llvm::IRBuilder<> builder(before->getTerminator());
  llvm::Value* address = mutant.random.one_in(3) ? mutant.pointer(*before->getTerminator())
                                                 : llvm::BlockAddress::get(before->getParent(), after);
  auto* jump = builder.CreateIndirectBr(address);
  jump->addDestination(after);
  if (mutant.random.one_in(3)) jump->addDestination(after);
  before->getTerminator()->eraseFromParent();
}

void insert_loop(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  BasicBlock* before = place->getParent();
  BasicBlock* after = before->splitBasicBlock(place);
  BasicBlock* loop = BasicBlock::Create(mutant.context, "", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, loop);
  llvm::IRBuilder<> builder(loop);
  llvm::Type* type = mutant.integer_type();
  llvm::PHINode* counter = builder.CreatePHI(type, 2);
  llvm::Value* next = builder.CreateAdd(counter, llvm::ConstantInt::get(type, 1));
  counter->addIncoming(mutant.value(type, *before->getTerminator()), before);
  counter->addIncoming(mutant.random.one_in(3) ? counter : next, loop);
  llvm::Value* done = builder.CreateICmpUGT(next, llvm::ConstantInt::get(type, mutant.random.below(100)));
  if (mutant.random.one_in(8))
    builder.CreateBr(loop);
  else
    builder.CreateCondBr(done, after, loop);
  mutant.keep(mutant.random.one_in(2) ? *counter : *next, *after->getFirstNonPHI());
}

void insert_merge(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr || llvm::pred_empty(place->getParent())) return;
  llvm::Type* type = mutant.random.one_in(4) ? mutant.odd_type() : mutant.integer_type();
  auto* phi = llvm::PHINode::Create(type, 2, "");
  phi->insertBefore(place->getParent()->begin());
  for (BasicBlock* from : llvm::predecessors(place->getParent()))
    if (phi->getBasicBlockIndex(from) < 0)
      phi->addIncoming(mutant.value(type, *from->getTerminator()), from);
    else
      phi->addIncoming(phi->getIncomingValueForBlock(from), from);
  mutant.keep(*phi, *place);
}

void end_early(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::Function& function = *place->getFunction();
  place->getParent()->splitBasicBlock(place);
  Instruction* old = place->getParent()->getSinglePredecessor()->getTerminator();
  llvm::IRBuilder<> builder(old);
  if (mutant.random.one_in(2))
    builder.CreateUnreachable();
  else if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(mutant.value(function.getReturnType(), *old));
  old->eraseFromParent();
}

void recurse(Mutant& mutant) {
  Instruction* place = mutant.place();
  llvm::Function* callee =
      mutant.random.one_in(2) || place == nullptr ? mutant.function() : place->getFunction();
  if (place == nullptr || callee == nullptr || callee->isVarArg()) return;
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& parameter : callee->args())
    arguments.push_back(mutant.value(parameter.getType(), *place));
  llvm::IRBuilder<> builder(place);
  mutant.keep(*builder.CreateCall(callee, arguments), *place);
}

void set_personality(Mutant& mutant, llvm::Function& function, const char* name) {
  auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(mutant.context), true);
  if (!function.hasPersonalityFn())
    function.setPersonalityFn(
        llvm::cast<llvm::Constant>(mutant.module.getOrInsertFunction(name, type).getCallee()));
}

// A call that may throw.
void invoke(Mutant& mutant) {
  auto* call = llvm::cast_or_null<llvm::CallInst>(mutant.instruction([](const Instruction& i) {
    const auto* candidate = llvm::dyn_cast<llvm::CallInst>(&i);
    return candidate != nullptr &&
           (candidate->getCalledFunction() == nullptr || !candidate->getCalledFunction()->isIntrinsic());
  }));
  if (call == nullptr) return;
  llvm::Function& function = *call->getFunction();
  set_personality(mutant, function, "__gxx_personality_v0");
  BasicBlock* pad = BasicBlock::Create(mutant.context, "pad", &function);
  llvm::IRBuilder<> builder(pad);
  auto* type = llvm::StructType::get(builder.getPtrTy(), builder.getInt32Ty());
  llvm::LandingPadInst* caught = builder.CreateLandingPad(type, 1);
  caught->setCleanup(true);
  if (mutant.random.one_in(3)) caught->addClause(llvm::Constant::getNullValue(builder.getPtrTy()));
  BasicBlock* back = mutant.random.one_in(3) ? any_target(mutant, function) : nullptr;
  if (mutant.random.one_in(3)) {
    builder.CreateUnreachable();
  } else if (back != nullptr && back->phis().empty() && back != pad) {
    builder.CreateBr(back);
  } else {
    builder.CreateResume(caught);
  }
  llvm::changeToInvokeAndSplitBasicBlock(call, pad);
}

void use_funclets(Mutant& mutant) {
  llvm::Function* function = mutant.function();
  if (function == nullptr || function->hasPersonalityFn()) return;
  Instruction* call = mutant.instruction([&](const Instruction& i) {
    return llvm::isa<llvm::CallInst>(i) && i.getFunction() == function &&
           !llvm::cast<llvm::CallInst>(i).isInlineAsm() &&
           llvm::cast<llvm::CallInst>(i).getCalledFunction() != nullptr &&
           !llvm::cast<llvm::CallInst>(i).getCalledFunction()->isIntrinsic();
  });
  if (call == nullptr) return;
  set_personality(mutant, *function, "__CxxFrameHandler3");
  BasicBlock* pad = BasicBlock::Create(mutant.context, "pad", function);
  llvm::IRBuilder<> builder(pad);
  builder.CreateCleanupRet(builder.CreateCleanupPad(llvm::ConstantTokenNone::get(mutant.context)));
  llvm::changeToInvokeAndSplitBasicBlock(llvm::cast<llvm::CallInst>(call), pad);
}

// asm goto.
void insert_assembly_jump(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  BasicBlock* before = place->getParent();
  BasicBlock* after = before->splitBasicBlock(place);
  BasicBlock* other = BasicBlock::Create(mutant.context, "", before->getParent(), after);
  llvm::IRBuilder<>(other).CreateBr(after);
  llvm::IRBuilder<> builder(before->getTerminator());
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCallBr(llvm::InlineAsm::get(type, mutant.random.one_in(2) ? "" : "jmp ${0:l}", "!i", true),
                       after, {other});
  before->getTerminator()->eraseFromParent();
}

void insert_tail_call(Mutant& mutant) {
  llvm::Function* function = mutant.function();
  if (function == nullptr || function->isVarArg()) return;
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& parameter : function->args()) arguments.push_back(&parameter);
  for (BasicBlock& block : *function) {
    auto* leaving = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (leaving == nullptr) continue;
    auto* call = llvm::CallInst::Create(function, arguments, "", leaving->getIterator());
    call->setTailCallKind(llvm::CallInst::TCK_MustTail);
    if (leaving->getReturnValue() != nullptr) leaving->setOperand(0, call);
    return;
  }
}

constexpr Mutation kFlow[] = {
    {"redirect a branch", redirect, true},
    {"insert a branch", insert_branch, true},
    {"insert a switch", insert_switch, true},
    {"insert a computed jump", insert_computed_jump},
    {"insert a loop", insert_loop, true},
    {"insert a merge", insert_merge},
    {"end early", end_early},
    {"recurse", recurse},
    {"invoke", invoke},
    {"use funclets", use_funclets},
    {"insert asm goto", insert_assembly_jump},
    {"insert a tail call", insert_tail_call},
};

}  // namespace

std::span<const Mutation> flow_mutations() { return kFlow; }

}  // namespace weir::fuzz
