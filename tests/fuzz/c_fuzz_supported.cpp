#include "fuzz/c_fuzz_supported.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Support/raw_ostream.h>

namespace weir::fuzz {

namespace {

using llvm::Instruction;
namespace Intrinsic = llvm::Intrinsic;

// --- What can be reached
// --------------------------------------------------------------------------------------------

class Reachable {
 public:
  explicit Reachable(const c::PreparedModule& prepared) : module_(*prepared.module) {
    add(module_.getFunction("__weir_program_main"));
    if (prepared.thread_limit > 1) add(module_.getFunction("__weir_thread_main"));
    while (!pending_.empty()) {
      const llvm::Function* next = pending_.back();
      pending_.pop_back();
      follow(*next);
    }
  }

  const std::vector<const llvm::BasicBlock*>& blocks() const { return blocks_; }

 private:
  void add(const llvm::Function* function) {
    if (function != nullptr && !function->isDeclaration() && functions_.insert(function).second)
      pending_.push_back(function);
  }

  void follow(const llvm::Function& function) {
    llvm::DenseSet<const llvm::BasicBlock*> seen{&function.getEntryBlock()};
    std::vector<const llvm::BasicBlock*> open{&function.getEntryBlock()};
    while (!open.empty()) {
      const llvm::BasicBlock* block = open.back();
      open.pop_back();
      blocks_.push_back(block);
      if (!add_calls(*block)) continue;
      for (const llvm::BasicBlock* next : next_blocks(*block))
        if (seen.insert(next).second) open.push_back(next);
    }
  }

  // Mutants throw nothing: what only exceptions lead to does not count.
  static std::vector<const llvm::BasicBlock*> next_blocks(const llvm::BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch != nullptr && branch->isConditional())
      if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(branch->getCondition()))
        return {branch->getSuccessor(known->isZero() ? 1 : 0)};
    std::vector<const llvm::BasicBlock*> next;
    for (const llvm::BasicBlock* successor : llvm::successors(&block))
      if (!successor->isEHPad()) next.push_back(successor);
    return next;
  }

  // False if a call does not return.
  bool add_calls(const llvm::BasicBlock& block) {
    for (const Instruction& instruction : block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || call->isInlineAsm()) continue;
      const auto* callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
      add(callee);
      if (callee != nullptr && callee->isDeclaration() && callee->doesNotReturn()) return false;
      if (callee != nullptr) continue;
      for (const llvm::Function& candidate : module_)
        if (candidate.hasAddressTaken() && accepts(candidate, *call)) add(&candidate);
    }
    return true;
  }

  // Calls with other arguments than a function has parameters are violations, and do not go on.
  static bool accepts(const llvm::Function& callee, const llvm::CallBase& call) {
    return callee.arg_size() <= call.arg_size() &&
           llvm::all_of(callee.args(), [&](const llvm::Argument& parameter) {
             const llvm::Type* given = call.getArgOperand(parameter.getArgNo())->getType();
             return given == parameter.getType() ||
                    !(given->isFloatingPointTy() || parameter.getType()->isFloatingPointTy());
           });
  }

  const llvm::Module& module_;
  llvm::DenseSet<const llvm::Function*> functions_;
  std::vector<const llvm::Function*> pending_;
  std::vector<const llvm::BasicBlock*> blocks_;
};

// --- What matters
// ---------------------------------------------------------------------------------------------------

bool has_effect(const Instruction& instruction) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return !intrinsic->isAssumeLikeIntrinsic() && instruction.mayHaveSideEffects();
  return instruction.isTerminator() || instruction.mayHaveSideEffects() || instruction.mayReadFromMemory() ||
         instruction.isIntDivRem();
}

// Does weir ignore what the function is called with?
bool ignores_arguments(const Instruction& instruction) {
  static const llvm::StringSet<> names = {"printf", "fprintf", "puts", "putchar",
                                          "fputs",  "fputc",   "putc", "dprintf"};
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* function = call == nullptr ? nullptr : call->getCalledFunction();
  return function != nullptr && function->isDeclaration() && names.contains(function->getName());
}

llvm::DenseSet<const Instruction*> needed(const std::vector<const llvm::BasicBlock*>& blocks) {
  llvm::DenseSet<const Instruction*> found;
  std::vector<const Instruction*> pending;
  const auto add = [&](const Instruction& instruction) {
    if (found.insert(&instruction).second) pending.push_back(&instruction);
  };
  for (const llvm::BasicBlock* block : blocks)
    for (const Instruction& instruction : *block)
      if (has_effect(instruction)) add(instruction);
  while (!pending.empty()) {
    const Instruction* next = pending.back();
    pending.pop_back();
    if (ignores_arguments(*next)) continue;
    for (const llvm::Value* operand : next->operand_values())
      if (const auto* instruction = llvm::dyn_cast<Instruction>(operand)) add(*instruction);
  }
  return found;
}

// --- What is supported
// ----------------------------------------------------------------------------------------------

bool is_scalar(const llvm::Type* type) {
  return (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) || type->isFloatTy() ||
         type->isDoubleTy() || (type->isPointerTy() && type->getPointerAddressSpace() == 0);
}

bool is_supported(const llvm::Type* type) {
  if (type->isVoidTy() || type->isLabelTy() || type->isMetadataTy() || is_scalar(type)) return true;
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return is_supported(array->getElementType());
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    return !structure->isOpaque() && std::ranges::all_of(structure->elements(), [](const llvm::Type* part) {
      return is_supported(part);
    });
  return false;
}

// Structures of floating point numbers are passed and copied as vectors; nothing is computed with these.
bool only_moves(const Instruction& instruction) {
  return llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::CallInst, llvm::ReturnInst, llvm::PHINode,
                   llvm::ExtractValueInst, llvm::InsertValueInst>(instruction);
}

// Such a vector, or what has one among its parts.
bool is_moved(const llvm::Type* type) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return is_scalar(vector->getElementType());
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return is_moved(array->getElementType());
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure == nullptr
             ? is_supported(type)
             : !structure->isOpaque() && std::ranges::all_of(structure->elements(), is_moved);
}

// What can be done with integers of 128 bits: all but division, and what only intrinsic functions do.
bool is_for_wide_numbers(const Instruction& instruction) {
  if (llvm::isa<llvm::IntrinsicInst>(instruction)) return false;
  if (instruction.isBinaryOp()) return !instruction.isIntDivRem();
  return only_moves(instruction) ||
         llvm::isa<llvm::ICmpInst, llvm::SelectInst, llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst,
                   llvm::FreezeInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction);
}

bool is_wide_number(const llvm::Type* type) {
  if (type->isIntegerTy(128)) return true;
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);  // what a compare-exchange returns
  return structure != nullptr && !structure->isOpaque() &&
         std::ranges::all_of(structure->elements(), [](const llvm::Type* part) {
           return is_supported(part) || is_wide_number(part);
         });
}

bool is_known(unsigned opcode) {
  switch (opcode) {
    case Instruction::Ret:
    case Instruction::Br:
    case Instruction::Switch:
    case Instruction::IndirectBr:
    case Instruction::Invoke:
    case Instruction::Unreachable:
    case Instruction::FNeg:
    case Instruction::Add:
    case Instruction::FAdd:
    case Instruction::Sub:
    case Instruction::FSub:
    case Instruction::Mul:
    case Instruction::FMul:
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::FDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FRem:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Alloca:
    case Instruction::Load:
    case Instruction::Store:
    case Instruction::GetElementPtr:
    case Instruction::Fence:
    case Instruction::AtomicCmpXchg:
    case Instruction::AtomicRMW:
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::FPToUI:
    case Instruction::FPToSI:
    case Instruction::UIToFP:
    case Instruction::SIToFP:
    case Instruction::FPTrunc:
    case Instruction::FPExt:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::BitCast:
    case Instruction::ICmp:
    case Instruction::FCmp:
    case Instruction::PHI:
    case Instruction::Call:
    case Instruction::Select:
    case Instruction::ExtractValue:
    case Instruction::InsertValue:
    case Instruction::Freeze: return true;
    default: return false;
  }
}

bool is_known_intrinsic(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::memcpy:
    case Intrinsic::memcpy_inline:
    case Intrinsic::memmove:
    case Intrinsic::memset:
    case Intrinsic::memset_inline:
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::stacksave:
    case Intrinsic::stackrestore:
    case Intrinsic::vastart:  // as long as nobody reads the list
    case Intrinsic::vacopy:
    case Intrinsic::vaend:
    case Intrinsic::trap:
    case Intrinsic::debugtrap:
    case Intrinsic::ubsantrap:
    case Intrinsic::x86_sse2_mfence:
    case Intrinsic::x86_sse_sfence:
    case Intrinsic::x86_sse2_lfence:
    case Intrinsic::x86_sse2_pause:
    case Intrinsic::expect:
    case Intrinsic::expect_with_probability:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::annotation:
    case Intrinsic::ptr_annotation:
    case Intrinsic::var_annotation:
    case Intrinsic::ssa_copy:
    case Intrinsic::arithmetic_fence:
    case Intrinsic::threadlocal_address:
    case Intrinsic::is_constant:
    case Intrinsic::objectsize:
    case Intrinsic::frameaddress:
    case Intrinsic::returnaddress:
    case Intrinsic::addressofreturnaddress:
    case Intrinsic::sponentry:
    case Intrinsic::assume:
    case Intrinsic::prefetch:
    case Intrinsic::sideeffect:
    case Intrinsic::donothing:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::pseudoprobe:
    case Intrinsic::dbg_assign:
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_label:
    case Intrinsic::dbg_value:
    case Intrinsic::abs:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
    case Intrinsic::scmp:
    case Intrinsic::ucmp:
    case Intrinsic::ctpop:
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::ptrmask:
    case Intrinsic::fabs:
    case Intrinsic::copysign:
    case Intrinsic::fmuladd:
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::is_fpclass:
    case Intrinsic::sadd_sat:
    case Intrinsic::uadd_sat:
    case Intrinsic::ssub_sat:
    case Intrinsic::usub_sat:
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::smul_with_overflow:
    case Intrinsic::umul_with_overflow: return true;
    default: return false;
  }
}

// The functions that have no body and yet a meaning.
bool is_known_function(llvm::StringRef name) {
  static const llvm::StringSet<> names = {"printf",
                                          "fprintf",
                                          "vprintf",
                                          "vfprintf",
                                          "dprintf",
                                          "puts",
                                          "putchar",
                                          "fputs",
                                          "fputc",
                                          "putc",
                                          "fflush",
                                          "perror",
                                          "setbuf",
                                          "setvbuf",
                                          "setlinebuf",
                                          "srand",
                                          "srandom",
                                          "srand48",
                                          "sleep",
                                          "usleep",
                                          "nanosleep",
                                          "clock_nanosleep",
                                          "thrd_sleep",
                                          "sched_yield",
                                          "thrd_yield",
                                          "pthread_yield",
                                          "syslog",
                                          "__printf_chk",
                                          "__fprintf_chk",
                                          "__vfprintf_chk",
                                          "alarm",
                                          "sched_setaffinity",
                                          "pthread_setaffinity_np",
                                          "setlocale",
                                          "__VERIFIER_assume",
                                          "assume_abort_if_not",
                                          "__VERIFIER_assert",
                                          "__VERIFIER_error",
                                          "reach_error",
                                          "__VERIFIER_atomic_begin",
                                          "__VERIFIER_atomic_end",
                                          "__assert_fail",
                                          "__assert",
                                          "__assert_perror_fail",
                                          "exit",
                                          "_exit",
                                          "_Exit",
                                          "quick_exit",
                                          "abort"};
  return name.starts_with("__weir_") || name.starts_with("__VERIFIER_nondet_") || names.contains(name);
}

// Among the texts that the fuzzer inserts.
bool is_known_assembly(const llvm::InlineAsm& assembly) {
  const llvm::StringRef text = assembly.getAsmString();
  return llvm::none_of(llvm::ArrayRef<llvm::StringRef>{"cpuid", "cli", "hlt", "ud2", "bsrq", "jmp", "$9"},
                       [&](llvm::StringRef word) { return text.contains(word); });
}

std::string complaint_about_call(const llvm::CallBase& call) {
  if (const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return is_known_assembly(*assembly) ? "" : "this assembly";
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return is_known_intrinsic(intrinsic->getIntrinsicID()) ? "" : "this intrinsic function";
  const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee != nullptr && callee->isDeclaration() && !is_known_function(callee->getName()))
    return "a call of a function that nobody knows";
  return "";
}

std::string complaint_about(const Instruction& instruction) {
  if (!is_known(instruction.getOpcode())) return "this operation";
  const auto fits = [&](const llvm::Type* type) {
    return is_supported(type) || (only_moves(instruction) && is_moved(type)) ||
           (is_for_wide_numbers(instruction) && is_wide_number(type));
  };
  if (!fits(instruction.getType())) return "a result of this type";
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (std::string problem = complaint_about_call(*call); !problem.empty()) return problem;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call))
      if (intrinsic->isAssumeLikeIntrinsic()) return "";
  }
  const bool is_address = llvm::isa<llvm::GetElementPtrInst>(instruction);  // constant indices may be wide
  for (const llvm::Value* operand : instruction.operand_values())
    if (!fits(operand->getType()) && !(is_address && llvm::isa<llvm::ConstantInt>(operand)))
      return "an operand of this type";
  return "";
}

}  // namespace

std::string not_supported(const c::PreparedModule& prepared) {
  const Reachable reachable(prepared);
  for (const Instruction* instruction : needed(reachable.blocks())) {
    const std::string problem = complaint_about(*instruction);
    if (problem.empty()) continue;
    std::string text;
    llvm::raw_string_ostream(text) << *instruction;
    return fmt::format("{} was accepted: {}", problem, text);
  }
  return "";
}

}  // namespace weir::fuzz
