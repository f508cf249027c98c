// Makes the end of a variable visible to the native runtime.
//
// Each variable on the stack whose address can be known elsewhere becomes a block of memory of its own, which
// is never used again: one for each time its scope is entered, as clang's lifetime marks tell; one for each
// call of alloca, and one for each parameter that is passed as a copy in memory. The runtime then knows of
// every access whether the variable still lives and whether the access stays inside it, also when another
// call has the same place of the stack. (AddressSanitizer does the same for frames, but reuses a variable's
// place for each entry of its scope, and forgets what alloca gave.)
//
// A slot on the real stack holds the address of the variable's block of now; each use loads it. The
// instrumentation for the thread sanitizer, which comes later, leaves the slots alone: their own addresses go
// nowhere.
#include "native/instrumentation/stack_variables.hpp"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weir::native {

namespace {

using namespace llvm;

const DIScope* scope_of(const Instruction& instruction) {
  const DILocation* location = instruction.getDebugLoc();
  return location == nullptr ? nullptr : location->getScope();
}

bool is_inside(const DIScope* scope, const DILexicalBlock& block) {
  for (; scope != nullptr && !isa<DISubprogram>(scope); scope = scope->getScope())
    if (scope == &block) return true;
  return false;
}

// The instructions that are executed first after the block is left.
std::vector<Instruction*> exits(Function& function, const DILexicalBlock& block) {
  std::vector<Instruction*> found;
  for (BasicBlock& code : function) {
    bool inside = any_of(predecessors(&code), [&](const BasicBlock* before) {
      return is_inside(scope_of(*before->getTerminator()), block);
    });
    for (Instruction& instruction : make_range(code.getFirstInsertionPt(), code.end())) {
      const DIScope* scope = scope_of(instruction);
      if (scope == nullptr) continue;  // it belongs to what stands around it
      if (inside && !is_inside(scope, block)) found.push_back(&instruction);
      inside = is_inside(scope, block);
    }
  }
  return found;
}

class FunctionRewriter {
 public:
  FunctionRewriter(Function& function, const Runtime& runtime)
      : function_(function), runtime_(runtime), layout_(function.getDataLayout()) {}

  void run() {
    for (Argument& argument : function_.args())
      if (argument.hasByValAttr()) moves_ |= move_argument(argument);
    for (AllocaInst* variable : variables()) move(*variable);
    if (!moves_) return;
    replace_stack_marks();
    call_at_exits(function_, runtime_.leave);
  }

 private:
  std::vector<AllocaInst*> variables() const {
    std::vector<AllocaInst*> found;
    for (Instruction& instruction : instructions(function_)) {
      auto* variable = dyn_cast<AllocaInst>(&instruction);
      if (variable == nullptr || variable->isSwiftError() || variable->isUsedWithInAlloca()) continue;
      if (!variable->isStaticAlloca() || PointerMayBeCaptured(variable, false, true))
        found.push_back(variable);
    }
    return found;
  }

  Value* size_of(IRBuilder<>& builder, const AllocaInst& variable) const {
    Value* element = builder.getInt64(layout_.getTypeAllocSize(variable.getAllocatedType()));
    Value* count = builder.CreateZExtOrTrunc(variable.getOperand(0), builder.getInt64Ty());
    return builder.CreateMul(element, count);
  }

  static Value* name_of(IRBuilder<>& builder, Value& variable) {
    StringRef name =
        variable.getName().starts_with(".compoundliteral") ? "compound literal" : variable.getName();
    for (const DbgVariableRecord* record : findDVRDeclares(&variable))
      name = record->getVariable()->getName();
    for (const DbgDeclareInst* declaration : findDbgDeclares(&variable))
      name = declaration->getVariable()->getName();
    return builder.CreateGlobalStringPtr(name, "weir_name");
  }

  // The address lives in a slot from now on, and each use loads it.
  AllocaInst* give_slot(Value& old) {
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    AllocaInst* slot = builder.CreateAlloca(builder.getPtrTy());
    DIBuilder debug(*function_.getParent(), false);
    replaceDbgDeclare(&old, slot, debug, DIExpression::DerefBefore, 0);
    for (Use& use : make_early_inc_range(old.uses())) load_before(use, *slot);
    return slot;
  }

  static void load_before(Use& use, AllocaInst& slot) {
    auto* user = cast<Instruction>(use.getUser());
    auto* choice = dyn_cast<PHINode>(user);
    IRBuilder<> builder(choice != nullptr ? choice->getIncomingBlock(use)->getTerminator() : user);
    builder.SetCurrentDebugLocation(user->getDebugLoc());
    LoadInst* loaded = builder.CreateLoad(builder.getPtrTy(), &slot);
    if (choice == nullptr) {
      use.set(loaded);
      return;
    }
    // All operands of a choice that come from one block are one value.
    const BasicBlock* from = choice->getIncomingBlock(use);
    Value* const old = use.get();
    for (unsigned i = 0; i < choice->getNumIncomingValues(); ++i)
      if (choice->getIncomingBlock(i) == from && choice->getIncomingValue(i) == old)
        choice->setIncomingValue(i, loaded);
  }

  bool move_argument(Argument& argument) {
    if (!PointerMayBeCaptured(&argument, false, true)) return false;
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    Value* name = name_of(builder, argument);
    AllocaInst* slot = give_slot(argument);
    builder.SetInsertPoint(slot->getNextNode());
    const std::uint64_t size = layout_.getTypeAllocSize(argument.getParamByValType());
    const std::uint64_t alignment = argument.getParamAlign().valueOrOne().value();
    builder.CreateStore(builder.CreateCall(runtime_.copy, {builder.getInt64(size),
                                                           builder.getInt64(alignment), name, &argument}),
                        slot);
    return true;
  }

  void move(AllocaInst& variable) {
    moves_ = true;
    IRBuilder<> builder(&variable);
    Value* name = name_of(builder, variable);
    Value* block = builder.CreateCall(
        runtime_.variable, {size_of(builder, variable), builder.getInt64(variable.getAlign().value()), name});
    std::vector<IntrinsicInst*> marks;
    for (User* user : variable.users())
      if (auto* mark = dyn_cast<IntrinsicInst>(user); mark != nullptr && mark->isLifetimeStartOrEnd())
        marks.push_back(mark);
    AllocaInst* slot = give_slot(variable);
    builder.CreateStore(block, slot);
    for (IntrinsicInst* mark : marks) replace_mark(*mark, *slot);
    if (marks.empty() && variable.getName().starts_with(".compoundliteral")) end_with_block(*slot);
    variable.eraseFromParent();
  }

  void replace_mark(IntrinsicInst& mark, AllocaInst& slot) {
    IRBuilder<> builder(&mark);
    Value* block = mark.getArgOperand(1);
    if (mark.getIntrinsicID() == Intrinsic::lifetime_start)
      builder.CreateStore(builder.CreateCall(runtime_.starts, {block}), &slot);
    else
      builder.CreateCall(runtime_.ends, {block});
    mark.eraseFromParent();
  }

  // clang has no marks for compound literals, which live as long as the block around them.
  void end_with_block(AllocaInst& slot) {
    Instruction* first = nullptr;
    for (Instruction& instruction : instructions(function_))
      if (isa<LoadInst>(instruction) && instruction.getOperand(0) == &slot) {
        first = &instruction;
        break;
      }
    const DIScope* scope = first == nullptr ? nullptr : scope_of(*first);
    const auto* block = dyn_cast_or_null<DILexicalBlock>(scope);
    if (block == nullptr) return;  // it ends with the function
    for (Instruction* exit : exits(function_, *block)) {
      IRBuilder<> builder(exit);
      builder.CreateCall(runtime_.ends, {builder.CreateLoad(builder.getPtrTy(), &slot)});
    }
    IRBuilder<> builder(first);
    builder.CreateStore(builder.CreateCall(runtime_.again, {builder.CreateLoad(builder.getPtrTy(), &slot)}),
                        &slot);
  }

  // What is saved and restored around arrays of variable length is the runtime's list of blocks.
  void replace_stack_marks() {
    for (Instruction& instruction : make_early_inc_range(instructions(function_))) {
      auto* mark = dyn_cast<IntrinsicInst>(&instruction);
      if (mark == nullptr) continue;
      IRBuilder<> builder(mark);
      if (mark->getIntrinsicID() == Intrinsic::stacksave)
        mark->replaceAllUsesWith(builder.CreateCall(runtime_.save));
      else if (mark->getIntrinsicID() == Intrinsic::stackrestore)
        builder.CreateCall(runtime_.restore, {mark->getArgOperand(0)});
      else
        continue;
      mark->eraseFromParent();
    }
  }

  Function& function_;
  const Runtime& runtime_;
  const DataLayout& layout_;
  bool moves_ = false;
};

}  // namespace

void move_stack_variables(Function& function, const Runtime& runtime) {
  FunctionRewriter(function, runtime).run();
}

}  // namespace weir::native
