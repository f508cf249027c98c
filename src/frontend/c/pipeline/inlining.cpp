#include "frontend/c/pipeline/inlining.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "frontend/c/layout/lifetimes.hpp"
#include "frontend/c/stopping.hpp"
#include "frontend/c/unwinding/unwinding.hpp"

namespace weir::c {

namespace {

constexpr std::size_t kLargestCallee = 10'000;   // instructions
constexpr std::size_t kLargestCaller = 200'000;  // instructions

// Copies one function into the place of one call.
class InlinedCall {
 public:
  explicit InlinedCall(llvm::CallBase& call)
      : call_(call),
        caller_(*call.getFunction()),
        callee_(*call.getCalledFunction()),
        call_location_(call.getDebugLoc()) {}

  void run() {
    llvm::BasicBlock* before = call_.getParent();
    llvm::BasicBlock* after = block_after(*before);
    bind_arguments(*before);
    copy_blocks(*after);
    bound_lifetimes();
    return_to(*after);
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call_)) land_at(*invoke->getUnwindDest(), *before);
    lift_allocas();
    call_.eraseFromParent();
    if (llvm::Instruction* end = before->getTerminator()) end->eraseFromParent();
    llvm::BranchInst::Create(copies_.front(), before)->setDebugLoc(call_location_);
    if (callee_.hasPersonalityFn() && !caller_.hasPersonalityFn())
      caller_.setPersonalityFn(callee_.getPersonalityFn());
  }

 private:
  // Where the callee returns to.
  llvm::BasicBlock* block_after(llvm::BasicBlock& before) {
    auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call_);
    if (invoke == nullptr) return before.splitBasicBlock(call_.getIterator());
    llvm::BasicBlock* normal = invoke->getNormalDest();
    auto* after = llvm::BasicBlock::Create(caller_.getContext(), "", &caller_, before.getNextNode());
    llvm::BranchInst::Create(normal, after)->setDebugLoc(call_location_);
    normal->replacePhiUsesWith(&before, after);
    return after;
  }

  // Where the callee is left by an exception, the landing pad of the call is next.
  void land_at(llvm::BasicBlock& pad, llvm::BasicBlock& before) {
    for (llvm::BasicBlock* copy : copies_) {
      if (llvm::LandingPadInst* inner = copy->getLandingPadInst())
        inherit_handlers(*inner, *pad.getLandingPadInst());
      auto* leaving = llvm::dyn_cast<llvm::ResumeInst>(copy->getTerminator());
      if (leaving == nullptr) continue;
      leaving->eraseFromParent();
      land(*copy, pad, before);
    }
    pad.removePredecessor(&before, /*KeepOneInputPHIs=*/true);
  }

  void bind_arguments(llvm::BasicBlock& before) {
    for (llvm::Argument& parameter : callee_.args()) {
      llvm::Value* value = call_.getArgOperand(parameter.getArgNo());
      values_[&parameter] = parameter.hasByValAttr() ? own_copy(parameter, value, before) : value;
    }
  }

  // What a parameter passed by value points to belongs to the callee.
  llvm::Value* own_copy(const llvm::Argument& parameter, llvm::Value* original, llvm::BasicBlock& before) {
    llvm::Type* type = parameter.getParamByValType();
    const llvm::DataLayout& layout = caller_.getDataLayout();
    const llvm::Align alignment = parameter.getParamAlign().value_or(layout.getABITypeAlign(type));
    auto* copy = new llvm::AllocaInst(type, layout.getAllocaAddrSpace(), nullptr, alignment,
                                      parameter.getName(), caller_.getEntryBlock().begin());
    own_copies_.push_back(copy);
    llvm::IRBuilder<> builder(before.getTerminator());
    builder.SetCurrentDebugLocation(call_location_);
    builder.CreateLifetimeStart(copy);
    builder.CreateMemCpy(copy, alignment, original, alignment, layout.getTypeAllocSize(type).getFixedValue());
    return copy;
  }

  void copy_blocks(llvm::BasicBlock& after) {
    for (llvm::BasicBlock& block : callee_) {
      llvm::BasicBlock* copy = llvm::CloneBasicBlock(&block, values_, "", &caller_);
      copy->moveBefore(&after);
      values_[&block] = copy;
      copies_.push_back(copy);
    }
    if (call_location_)
      inlined_at_ = llvm::DILocation::getDistinct(caller_.getContext(), call_location_.getLine(),
                                                  call_location_.getCol(), call_location_.getScope(),
                                                  call_location_.getInlinedAt());
    for (llvm::BasicBlock* copy : copies_)
      for (llvm::Instruction& instruction : *copy) adapt(instruction);
  }

  void adapt(llvm::Instruction& instruction) {
    const auto flags = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;
    llvm::RemapInstruction(&instruction, values_, flags);
    llvm::RemapDbgRecordRange(caller_.getParent(), instruction.getDbgRecordRange(), values_, flags);
    if (!inlined_at_ && caller_.getSubprogram() != nullptr) instruction.dropDbgRecords();
    for (llvm::DbgRecord& record : instruction.getDbgRecordRange())
      record.setDebugLoc(inlined_location(record.getDebugLoc()));
    if (!llvm::isa<llvm::AllocaInst>(instruction) || instruction.getDebugLoc())
      instruction.setDebugLoc(inlined_location(instruction.getDebugLoc()));
    llvm::updateLoopMetadataDebugLocations(instruction, [this](llvm::Metadata* part) -> llvm::Metadata* {
      auto* location = llvm::dyn_cast_or_null<llvm::DILocation>(part);
      return location == nullptr ? part : inlined_location(location).get();
    });
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      call->setTailCallKind(llvm::CallInst::TCK_None);
  }

  // Code without a position of its own, as the runtime's, is where the call is.
  llvm::DebugLoc inlined_location(const llvm::DebugLoc& original) {
    if (!inlined_at_) return caller_.getSubprogram() == nullptr ? original : llvm::DebugLoc();
    if (!original) return call_location_;
    llvm::LLVMContext& context = caller_.getContext();
    return llvm::DILocation::get(context, original.getLine(), original.getCol(), original.getScope(),
                                 llvm::DebugLoc::appendInlinedAt(original, inlined_at_, context, locations_));
  }

  // What the callee has on its stack ends when it returns.
  void bound_lifetimes() {
    std::vector<llvm::AllocaInst*> marked, unmarked;
    bool dynamic = false;
    for (llvm::BasicBlock* copy : copies_)
      for (llvm::Instruction& instruction : *copy)
        if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
          const bool lifted =
              copy == copies_.front() && llvm::isa<llvm::ConstantInt>(variable->getArraySize());
          dynamic |= !lifted;
          if (lifted) (has_lifetime(*variable) ? marked : unmarked).push_back(variable);
        }
    llvm::Instruction* first = &*copies_.front()->getFirstNonPHIOrDbgOrAlloca();
    for (llvm::AllocaInst* variable : unmarked) begin_lifetime(*variable, *first);
    unmarked.insert(unmarked.end(), own_copies_.begin(), own_copies_.end());
    llvm::Value* saved = dynamic ? llvm::IRBuilder<>(first).CreateStackSave() : nullptr;
    for (llvm::BasicBlock* copy : copies_) {
      llvm::Instruction* leaving = copy->getTerminator();
      if (!llvm::isa<llvm::ReturnInst, llvm::ResumeInst>(leaving)) continue;
      llvm::IRBuilder<> builder(leaving);
      if (dynamic) builder.CreateStackRestore(saved);
      for (llvm::AllocaInst* variable : unmarked) builder.CreateLifetimeEnd(variable);
      // Clang marks no ends where only variables without a destructor end.
      if (llvm::isa<llvm::ResumeInst>(leaving))
        for (llvm::AllocaInst* variable : marked) builder.CreateLifetimeEnd(variable);
    }
  }

  void return_to(llvm::BasicBlock& after) {
    llvm::PHINode* result = nullptr;
    if (!call_.getType()->isVoidTy()) {
      result = llvm::PHINode::Create(call_.getType(), 1, call_.getName());
      result->insertBefore(after.begin());
      result->setDebugLoc(call_location_);
    }
    for (llvm::BasicBlock* copy : copies_) {
      auto* leaving = llvm::dyn_cast<llvm::ReturnInst>(copy->getTerminator());
      if (leaving == nullptr) continue;
      if (result != nullptr) result->addIncoming(leaving->getReturnValue(), copy);
      auto* jump = llvm::BranchInst::Create(&after, leaving->getIterator());
      jump->setDebugLoc(leaving->getDebugLoc());
      jump->copyMetadata(*leaving);
      leaving->eraseFromParent();
    }
    if (result == nullptr) return;
    if (result->getNumIncomingValues() == 0) {  // it never returns
      call_.replaceAllUsesWith(llvm::PoisonValue::get(call_.getType()));
      result->eraseFromParent();
      return;
    }
    call_.replaceAllUsesWith(result);
  }

  void lift_allocas() {
    llvm::BasicBlock& entry = caller_.getEntryBlock();
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*copies_.front()))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (llvm::isa<llvm::ConstantInt>(variable->getArraySize()))
          variable->moveBefore(entry, entry.begin());
  }

  llvm::CallBase& call_;
  llvm::Function& caller_;
  llvm::Function& callee_;
  llvm::DebugLoc call_location_;
  llvm::DILocation* inlined_at_ = nullptr;
  llvm::DenseMap<const llvm::MDNode*, llvm::MDNode*> locations_;
  llvm::ValueToValueMapTy values_;
  std::vector<llvm::BasicBlock*> copies_;
  std::vector<llvm::AllocaInst*> own_copies_;  // of parameters passed by value
};

// Code that cannot stand at another place.
bool can_be_copied(const llvm::Function& function) {
  if (function.hasFnAttribute(llvm::Attribute::Naked)) return false;
  for (const llvm::BasicBlock& block : function) {
    if (block.hasAddressTaken() || (block.isEHPad() && !block.isLandingPad())) return false;
    if (llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(block.getTerminator())) return false;
    for (const llvm::Instruction& instruction : block)
      if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        if (intrinsic->getIntrinsicID() == llvm::Intrinsic::vastart) return false;
  }
  return true;
}

class Inliner {
 public:
  Inliner(llvm::Module& module, const llvm::Function* kept, const Context* context)
      : module_(module), kept_(kept), context_(context) {}

  void run() {
    for (llvm::Function* function : callees_first()) {
      inline_into(*function);
      Callee& callee = callees_[function];
      callee.size = function->getInstructionCount();
      callee.copied = !callee.recursive && function != kept_ && can_be_copied(*function);
    }
  }

 private:
  struct Callee {
    std::size_t size = 0;
    bool recursive = false;
    bool copied = false;
  };

  std::vector<llvm::Function*> callees_first() {
    // Clang notes that pthread_create calls what it is given. It does, but that is no call that could be
    // inlined.
    for (llvm::Function& function : module_) function.eraseMetadata(llvm::LLVMContext::MD_callback);
    llvm::CallGraph graph(module_);
    std::vector<llvm::Function*> order;
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
      for (const llvm::CallGraphNode* node : *component) {
        llvm::Function* function = node->getFunction();
        if (function == nullptr || function->isDeclaration()) continue;
        callees_[function].recursive = component.hasCycle();
        order.push_back(function);
      }
    return order;
  }

  void inline_into(llvm::Function& caller) {
    std::vector<llvm::CallBase*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(caller))
      if (llvm::isa<llvm::CallInst, llvm::InvokeInst>(instruction))
        calls.push_back(llvm::cast<llvm::CallBase>(&instruction));
    std::size_t size = caller.getInstructionCount();
    for (llvm::CallBase* call : calls) {
      const llvm::Function* callee = call->getCalledFunction();  // none if the types differ
      if (callee == nullptr || callee->isDeclaration()) continue;
      const Callee& known = callees_[callee];
      if (!known.copied || size + known.size > kLargestCaller) continue;
      if (known.size > kLargestCallee && !callee->hasOneUse()) continue;
      poll(context_);
      size += known.size;
      InlinedCall(*call).run();
    }
  }

  llvm::Module& module_;
  const llvm::Function* kept_;
  const Context* context_;
  llvm::DenseMap<const llvm::Function*, Callee> callees_;
};

}  // namespace

void inline_calls(llvm::Module& module, const llvm::Function* kept, const Context* context) {
  Inliner(module, kept, context).run();
}

}  // namespace weir::c
