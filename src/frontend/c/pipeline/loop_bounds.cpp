#include "frontend/c/pipeline/loop_bounds.hpp"

#include <fmt/format.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <optional>

namespace weir::c {

namespace {

constexpr const char* kExempt = "weir.runtime";

bool is_exempt(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::BasicBlock*> latches;
  loop.getLoopLatches(latches);
  return llvm::all_of(
      latches, [](const llvm::BasicBlock* latch) { return latch->getTerminator()->hasMetadata(kExempt); });
}

// Calls that only pass time, or keep the order of accesses.
bool only_waits(const llvm::CallInst& call) {
  static const llvm::StringSet<> kWaiting{"llvm.x86.sse2.pause",
                                          "llvm.x86.sse2.mfence",
                                          "llvm.x86.sse2.lfence",
                                          "llvm.x86.sse.sfence",
                                          "sched_yield",
                                          "usleep",
                                          "sleep",
                                          "nanosleep"};
  if (const llvm::Function* callee = call.getCalledFunction())
    return callee->isDeclaration() && kWaiting.contains(callee->getName());
  if (!call.isInlineAsm() || !call.arg_empty() || !call.getType()->isVoidTy()) return false;
  const llvm::StringRef code = llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString();
  return !code.contains("lock") &&
         (code.empty() || code.contains("pause") || code.contains("nop") || code.contains("fence"));
}

// Where control goes if an attempt to take something succeeds: a compare-exchange that stores, or an exchange
// (or `or`) of a constant that finds 0.
class IfTaken {
 public:
  explicit IfTaken(const llvm::Instruction& attempt) : attempt_(attempt) {}

  // Does that end the loop?
  bool leaves(const llvm::Loop& loop) const {
    llvm::DenseSet<Edge> met;
    llvm::SmallVector<Edge> open{{nullptr, attempt_.getParent()}};
    while (!open.empty()) {
      const Edge edge = open.pop_back_val();
      for (const llvm::BasicBlock* next : ways_on(edge)) {
        if (next == loop.getHeader()) return false;
        if (loop.contains(next) && met.insert({edge.second, next}).second)
          open.push_back({edge.second, next});
      }
    }
    return true;
  }

 private:
  using Edge = std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>;  // from where, to where

  llvm::SmallVector<const llvm::BasicBlock*> ways_on(const Edge& edge) const {
    const llvm::Instruction* end = edge.second->getTerminator();
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end); branch && branch->isConditional())
      if (const auto known = value(branch->getCondition(), edge))
        return {branch->getSuccessor(*known != 0 ? 0 : 1)};
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(end))
      if (const auto known = value(choice->getCondition(), edge)) return {target(*choice, *known)};
    return {llvm::succ_begin(edge.second), llvm::succ_end(edge.second)};
  }

  static const llvm::BasicBlock* target(const llvm::SwitchInst& choice, std::uint64_t number) {
    for (const auto& way : choice.cases())
      if (way.getCaseValue()->getZExtValue() == number) return way.getCaseSuccessor();
    return choice.getDefaultDest();
  }

  // As far as it follows from the success, and from where control comes.
  std::optional<std::uint64_t> value(const llvm::Value* of, const Edge& edge, int depth = 0) const {
    constexpr int kDeepest = 20;
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(of)) return number->getZExtValue();
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(of);
    if (instruction == nullptr || depth > kDeepest) return std::nullopt;
    if (instruction == &attempt_ && llvm::isa<llvm::AtomicRMWInst>(attempt_)) return 0;
    if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(instruction))
      return part->getAggregateOperand() == &attempt_ && part->getIndices()[0] == 1 ? std::optional(1)
                                                                                    : std::nullopt;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      const bool here = phi->getParent() == edge.second && edge.first != nullptr;
      return here ? value(phi->getIncomingValueForBlock(edge.first), {}, depth + 1) : std::nullopt;
    }
    if (llvm::isa<llvm::ZExtInst, llvm::TruncInst>(instruction))
      return value(instruction->getOperand(0), edge, depth + 1);
    const bool is_xor = instruction->getOpcode() == llvm::Instruction::Xor;
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(instruction);
    if (!is_xor && (compare == nullptr || !compare->isEquality())) return std::nullopt;
    const auto left = value(instruction->getOperand(0), edge, depth + 1);
    const auto right = value(instruction->getOperand(1), edge, depth + 1);
    if (!left || !right) return std::nullopt;
    if (is_xor) return *left ^ *right;
    return (*left == *right) == (compare->getPredicate() == llvm::CmpInst::ICMP_EQ) ? 1 : 0;
  }

  const llvm::Instruction& attempt_;
};

// Something that leaves memory as it is, or else ends the loop.
bool takes_and_leaves(const llvm::Instruction& instruction, const llvm::Loop& loop) {
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    const bool sets = update->getOperation() == llvm::AtomicRMWInst::Xchg ||
                      update->getOperation() == llvm::AtomicRMWInst::Or;
    if (!sets || !llvm::isa<llvm::ConstantInt>(update->getValOperand())) return false;
  } else if (!llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) {
    return false;
  }
  return IfTaken(instruction).leaves(loop);
}

bool changes_memory(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return !only_waits(*call);
  return instruction.mayWriteToMemory() && !llvm::isa<llvm::LoadInst, llvm::FenceInst>(instruction);
}

// Does the value depend, other than through memory, on a value of the iteration before?
bool is_carried(const llvm::Value* value, const llvm::Loop& loop,
                llvm::SmallPtrSetImpl<const llvm::Value*>& seen) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || !loop.contains(instruction) ||
      llvm::isa<llvm::LoadInst, llvm::AtomicCmpXchgInst, llvm::AtomicRMWInst>(instruction))
    return false;
  if (!seen.insert(instruction).second) return false;
  if (llvm::isa<llvm::PHINode>(instruction) && instruction->getParent() == loop.getHeader()) return true;
  return llvm::any_of(instruction->operands(),
                      [&](const llvm::Use& operand) { return is_carried(operand.get(), loop, seen); });
}

bool carries_values(const llvm::Loop& loop) {
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      llvm::SmallPtrSet<const llvm::Value*, 16> seen;
      const llvm::Value* value = phi.getIncomingValue(i);
      if (loop.contains(phi.getIncomingBlock(i)) && value != &phi && is_carried(value, loop, seen))
        return true;
    }
  return false;
}

bool is_spin(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block)
      if (changes_memory(instruction) && !takes_and_leaves(instruction, loop)) return false;
  return !carries_values(loop);
}

std::string describe(const llvm::DebugLoc& location, std::uint32_t bound) {
  const std::string times = fmt::format("is repeated more than {} time{}", bound, bound == 1 ? "" : "s");
  if (!location) return fmt::format("a loop {}", times);
  return fmt::format("the loop at {}:{} {}", location->getFilename().str(), location.getLine(), times);
}

void give_up(llvm::BasicBlock& block, const std::string& reason, const llvm::DebugLoc& location) {
  llvm::Module& module = *block.getModule();
  llvm::IRBuilder<> builder(&block);
  builder.SetCurrentDebugLocation(location);
  const auto callee = module.getOrInsertFunction("__weir_give_up", builder.getVoidTy(), builder.getPtrTy());
  auto* text = llvm::ConstantDataArray::getString(module.getContext(), reason);
  auto* message = new llvm::GlobalVariable(module, text->getType(), true, llvm::GlobalValue::InternalLinkage,
                                           text, "unroll");
  builder.CreateCall(callee, {message})->setDoesNotReturn();
  builder.CreateUnreachable();
}

struct Bounded {
  llvm::BasicBlock* header;
  llvm::SmallPtrSet<llvm::BasicBlock*, 4> latches;
  llvm::DebugLoc location;
};

void add_counter(const Bounded& loop, std::uint32_t bound) {
  llvm::BasicBlock* header = loop.header;
  llvm::LLVMContext& context = header->getContext();
  const std::vector<llvm::BasicBlock*> sources(llvm::pred_begin(header), llvm::pred_end(header));
  llvm::BasicBlock* rest = header->splitBasicBlock(header->getFirstInsertionPt());
  auto* too_often = llvm::BasicBlock::Create(context, "too.often", header->getParent(), rest);

  llvm::IRBuilder<> at_start(header, header->begin());
  llvm::PHINode* count =
      at_start.CreatePHI(at_start.getInt32Ty(), static_cast<unsigned>(sources.size()), "repeated");
  llvm::IRBuilder<> builder(header->getTerminator());
  builder.SetCurrentDebugLocation(loop.location);
  llvm::Value* next = builder.CreateAdd(count, builder.getInt32(1));
  for (llvm::BasicBlock* source : sources) {
    // A header that was its own latch has its old end in `rest` now.
    const bool repeats = loop.latches.contains(source);
    count->addIncoming(repeats ? next : builder.getInt32(0), repeats && source == header ? rest : source);
  }
  builder.CreateCondBr(builder.CreateICmpUGT(count, builder.getInt32(bound)), too_often, rest);
  header->getTerminator()->eraseFromParent();
  give_up(*too_often, describe(loop.location, bound), loop.location);
}

}  // namespace

void exempt_loops(llvm::Module& runtime) {
  llvm::MDNode* mark = llvm::MDNode::get(runtime.getContext(), {});
  for (llvm::Function& function : runtime)
    for (llvm::BasicBlock& block : function) block.getTerminator()->setMetadata(kExempt, mark);
}

void bound_loops(llvm::Function& function, std::uint32_t bound) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  std::vector<Bounded> bounded;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (is_exempt(*loop) || is_spin(*loop)) continue;
    llvm::SmallVector<llvm::BasicBlock*> latches;
    loop->getLoopLatches(latches);
    bounded.push_back({loop->getHeader(), {latches.begin(), latches.end()}, loop->getStartLoc()});
  }
  for (const Bounded& loop : bounded) add_counter(loop, bound);
}

}  // namespace weir::c
