#include "frontend/c/unwinding/handlers.hpp"

#include <algorithm>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include "frontend/c/unwinding/unwinding.hpp"

namespace weir::c {

namespace {

bool calls_one_of(const llvm::CallInst& call, std::initializer_list<llvm::StringRef> names) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && llvm::is_contained(names, callee->getName());
}

bool is_push(const llvm::CallInst& call) {
  return calls_one_of(call, {"__pthread_register_cancel", "__pthread_register_cancel_defer"});
}
bool is_pop(const llvm::CallInst& call) {
  return calls_one_of(call, {"__pthread_unregister_cancel", "__pthread_unregister_cancel_restore"});
}
bool is_next(const llvm::CallInst& call) { return calls_one_of(call, {"__pthread_unwind_next"}); }

bool may_be_left(const llvm::CallInst& call) {
  return !llvm::isa<llvm::IntrinsicInst>(call) && !call.isInlineAsm() && !is_push(call) && !is_pop(call) &&
         !is_next(call) && !calls_one_of(call, {"__sigsetjmp"});
}

// One push, by the buffer that its calls are about.
struct Handler {
  const llvm::Value* buffer = nullptr;
  llvm::CallInst* mark = nullptr;  // __sigsetjmp
  llvm::CallInst* push = nullptr;
  std::ptrdiff_t depth = 0;  // how many others it is pushed inside
  std::vector<llvm::CallInst*> next;
  std::vector<llvm::CallInst*> inside;  // calls between push and pop, and other pushes
};

// As clang writes it without optimising: what one block computes no other uses, but for addresses of
// variables. So a block may be entered from elsewhere.
bool has_simple_blocks(llvm::Function& function) {
  return llvm::all_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction) ||
           !instruction.isUsedOutsideOfBlock(instruction.getParent());
  });
}

class HandlerTranslation {
 public:
  explicit HandlerTranslation(llvm::Function& function)
      : function_(function), context_(function.getContext()) {}

  void run() {
    find_handlers();
    const bool known = llvm::all_of(
        handlers_, [](const Handler& handler) { return handler.mark != nullptr && handler.push != nullptr; });
    if (handlers_.empty() || !known || !has_simple_blocks(function_)) return;
    for (Handler& handler : handlers_) handler.inside = calls_inside(handler);
    for (Handler& handler : handlers_) handler.depth = depth(handler);
    std::ranges::stable_sort(handlers_, std::greater<>(), &Handler::depth);  // the innermost first
    ensure_personality(function_);
    for (Handler& handler : handlers_) translate(handler);
    for (llvm::CallInst* call : obsolete_) call->eraseFromParent();
  }

 private:
  Handler& handler_of(const llvm::CallInst& call) {
    const llvm::Value* buffer = llvm::getUnderlyingObject(call.getArgOperand(0));
    const auto known = std::ranges::find(handlers_, buffer, &Handler::buffer);
    if (known != handlers_.end()) return *known;
    handlers_.push_back({.buffer = buffer});
    return handlers_.back();
  }

  void find_handlers() {
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call == nullptr) continue;
      if (calls_one_of(*call, {"__sigsetjmp"})) handler_of(*call).mark = call;
      if (is_push(*call)) handler_of(*call).push = call;
      if (is_next(*call)) handler_of(*call).next.push_back(call);
      if (is_push(*call) || is_pop(*call)) obsolete_.push_back(call);
    }
  }

  bool ends(const Handler& handler, const llvm::Instruction& instruction) const {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call != nullptr && is_pop(*call) &&
           llvm::getUnderlyingObject(call->getArgOperand(0)) == handler.buffer;
  }

  std::vector<llvm::CallInst*> calls_inside(const Handler& handler) const {
    std::vector<llvm::CallInst*> found;
    std::vector<llvm::Instruction*> open{handler.push->getNextNode()};
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
    while (!open.empty()) {
      llvm::Instruction* at = open.back();
      open.pop_back();
      for (; at != nullptr && !ends(handler, *at); at = at->getNextNode()) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(at);
        if (call != nullptr && (may_be_left(*call) || is_push(*call))) found.push_back(call);
        if (!at->isTerminator()) continue;
        for (llvm::BasicBlock* next : llvm::successors(at))
          if (seen.insert(next).second) open.push_back(&next->front());
      }
    }
    return found;
  }

  std::ptrdiff_t depth(const Handler& handler) const {
    return std::ranges::count_if(
        handlers_, [&](const Handler& other) { return llvm::is_contained(other.inside, handler.push); });
  }

  void translate(Handler& handler) {
    llvm::BasicBlock* before = handler.mark->getParent();
    llvm::BasicBlock* after = before->splitBasicBlock(handler.mark->getIterator());
    auto* pad = llvm::BasicBlock::Create(context_, "ended", &function_);
    auto* came_back = llvm::PHINode::Create(handler.mark->getType(), 2, "came.back");
    came_back->insertBefore(after->begin());
    came_back->addIncoming(llvm::ConstantInt::get(came_back->getType(), 0), before);
    came_back->addIncoming(llvm::ConstantInt::get(came_back->getType(), 1), pad);
    land_at(*pad, *after, handler);
    handler.mark->replaceAllUsesWith(came_back);
    handler.mark->eraseFromParent();
    for (llvm::CallInst* call : handler.inside) {
      if (is_push(*call) || !converted_.insert(call).second) continue;
      llvm::changeToInvokeAndSplitBasicBlock(call, pad);
    }
  }

  // What ends the thread is kept for __pthread_unwind_next; other exceptions go on at once.
  void land_at(llvm::BasicBlock& pad, llvm::BasicBlock& handling, Handler& handler) {
    llvm::IRBuilder<> builder(&pad);
    builder.SetCurrentDebugLocation(handler.mark->getDebugLoc());
    auto* type = llvm::StructType::get(builder.getPtrTy(), builder.getInt32Ty());
    auto* slot = new llvm::AllocaInst(builder.getPtrTy(), 0, "ending", function_.getEntryBlock().begin());
    auto* forced =
        function_.getParent()->getOrInsertGlobal("_ZTIN10__cxxabiv115__forced_unwindE", builder.getPtrTy());
    llvm::LandingPadInst* landed = builder.CreateLandingPad(type, 1);
    landed->addClause(forced);
    landed->setCleanup(true);
    builder.CreateStore(builder.CreateExtractValue(landed, 0), slot);
    llvm::Value* number =
        builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::eh_typeid_for, {forced});
    auto* other = llvm::BasicBlock::Create(context_, "exception", &function_);
    builder.CreateCondBr(builder.CreateICmpEQ(builder.CreateExtractValue(landed, 1), number), &handling,
                         other);
    builder.SetInsertPoint(other);
    go_on(builder, *slot, handler);
    for (llvm::CallInst* next : handler.next) {
      builder.SetInsertPoint(next);
      builder.SetCurrentDebugLocation(next->getDebugLoc());
      go_on(builder, *slot, handler);
      llvm::BasicBlock* block = next->getParent();
      const llvm::Instruction* last = next->getPrevNode();
      for (llvm::BasicBlock* successor : llvm::successors(block)) successor->removePredecessor(block);
      while (&block->back() != last) block->back().eraseFromParent();
    }
  }

  // To the handler around this one, if there is one in the function, or out of the function.
  void go_on(llvm::IRBuilder<>& builder, llvm::AllocaInst& slot, const Handler& handler) {
    llvm::Module& module = *function_.getParent();
    llvm::Value* token = builder.CreateLoad(builder.getPtrTy(), &slot);
    builder.CreateCall(module.getOrInsertFunction("__weir_resume", builder.getVoidTy(), builder.getPtrTy()),
                       {token});
    llvm::CallInst* unwind =
        builder.CreateCall(module.getOrInsertFunction("__weir_unwind", builder.getVoidTy()));
    builder.CreateUnreachable();
    for (Handler& other : handlers_)
      if (llvm::is_contained(other.inside, handler.push)) other.inside.push_back(unwind);
  }

  llvm::Function& function_;
  llvm::LLVMContext& context_;
  std::vector<Handler> handlers_;
  std::vector<llvm::CallInst*> obsolete_;
  llvm::SmallPtrSet<const llvm::CallInst*, 16> converted_;
};

}  // namespace

void translate_cleanup_handlers(llvm::Module& module) {
  if (module.getFunction("__pthread_unwind_next") == nullptr) return;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) HandlerTranslation(function).run();
}

}  // namespace weir::c
