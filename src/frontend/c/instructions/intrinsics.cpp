#include "frontend/c/instructions/intrinsics.hpp"

#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "frontend/c/instructions/copy.hpp"
#include "frontend/c/instructions/intrinsics_bits.hpp"
#include "frontend/c/layout/lifetimes.hpp"
#include "frontend/c/lowering/function.hpp"

namespace weir::c {

namespace {

namespace Intrinsic = llvm::Intrinsic;

// Does somebody take arguments from the list? That needs what the caller passed.
bool is_read(const llvm::Value& list, unsigned depth = 0) {
  if (depth > 8) return true;
  for (const llvm::User* user : list.users()) {
    if (llvm::isa<llvm::VAArgInst>(user)) return true;
    // The list itself may be a pointer to the arguments, which can be passed on.
    if (llvm::isa<llvm::LoadInst>(user) && (!user->getType()->isPointerTy() || is_read(*user, depth + 1)))
      return true;
    const bool passes_on = llvm::isa<llvm::GEPOperator>(user) || llvm::isa<llvm::PHINode>(user);
    if (passes_on && is_read(*user, depth + 1)) return true;
  }
  return false;
}

// On i386 the list is a pointer: passing it on loads it, so it must be there, but nobody looks where it
// points.
void initialise_list(FunctionLowering& lowering, const llvm::IntrinsicInst& call) {
  constexpr Type kWord{32, false};
  lowering.emitter.store(lowering.use(*call.getArgOperand(0)), lowering.build.constant(0, kWord), kWord, {});
}

void lower_argument_list(FunctionLowering& lowering, const llvm::IntrinsicInst& call) {
  if (!lowering.module.words.are_addresses()) initialise_list(lowering, call);
  if (is_read(*llvm::getUnderlyingObject(call.getArgOperand(0))))
    lowering.unsupported(call,
                         "a function that reads a variable number of arguments (va_arg) is not supported",
                         "pass the arguments as parameters");
}

// Returns the operand whose value the intrinsic just passes on, or null.
const llvm::Value* passed_on(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::expect:
    case Intrinsic::expect_with_probability:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::annotation:
    case Intrinsic::ptr_annotation:
    case Intrinsic::ssa_copy:
    case Intrinsic::arithmetic_fence:
    case Intrinsic::threadlocal_address: return call.getArgOperand(0);
    default: return nullptr;
  }
}

// False if the intrinsic is not about memory, the stack or the end of the execution.
bool lower_effect(FunctionLowering& lowering, const llvm::IntrinsicInst& call) {
  Emitter& emitter = lowering.emitter;
  const auto argument = [&](unsigned i) -> const llvm::Value& { return *call.getArgOperand(i); };
  switch (call.getIntrinsicID()) {
    case Intrinsic::memcpy:
    case Intrinsic::memcpy_inline:
      lower_memory_copy(lowering, call, argument(0), argument(1), argument(2), false);
      return true;
    case Intrinsic::memmove:
      lower_memory_copy(lowering, call, argument(0), argument(1), argument(2), true);
      return true;
    case Intrinsic::memset:
    case Intrinsic::memset_inline:
      lower_memory_fill(lowering, argument(0), argument(1), argument(2));
      return true;
    case Intrinsic::lifetime_start:
      if (const auto* variable = beginning_variable(call)) lowering.begin_variable(*variable);
      return true;
    case Intrinsic::lifetime_end:
      if (const auto* variable = ending_variable(call)) lowering.end_variable(*variable);
      return true;
    case Intrinsic::stacksave: lowering.define(call, lowering.build.address(0)); return true;
    case Intrinsic::stackrestore: lowering.release_blocks_since(argument(0)); return true;
    case Intrinsic::vastart:
    case Intrinsic::vacopy: lower_argument_list(lowering, call); return true;
    case Intrinsic::vaend: return true;
    case Intrinsic::trap:
    case Intrinsic::debugtrap:
    case Intrinsic::ubsantrap: emitter.fail("a trap is executed"); return true;
    case Intrinsic::x86_sse2_mfence:
      emitter.emit({.op = Opcode::kFence, .fence = FenceKind::kFull});
      return true;
    case Intrinsic::x86_sse_sfence:
      emitter.emit({.op = Opcode::kFence, .fence = FenceKind::kStoreStore});
      return true;
    case Intrinsic::x86_sse2_lfence:
    case Intrinsic::x86_sse2_pause: return true;
    default: return false;
  }
}

// Constants that only the compiler could know better.
std::optional<ExprId> fixed_value(FunctionLowering& lowering, const llvm::IntrinsicInst& call) {
  const auto type = scalar_type(call.getType());
  if (!type) return std::nullopt;
  switch (call.getIntrinsicID()) {
    case Intrinsic::is_constant: return lowering.build.constant(0, *type);
    case Intrinsic::objectsize: {
      const bool least = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
      return lowering.build.constant(least ? 0 : -1, *type);
    }
    case Intrinsic::frameaddress:
    case Intrinsic::returnaddress:
    case Intrinsic::addressofreturnaddress:
    case Intrinsic::sponentry: return lowering.build.constant(0, *type);
    default: return std::nullopt;
  }
}

// Does it take the count only where the number is not 0?
bool takes_if_not_zero(const llvm::User* user, const llvm::Value& count, const llvm::Value& number) {
  const auto* choice = llvm::dyn_cast<llvm::SelectInst>(user);
  const auto* test = choice == nullptr ? nullptr : llvm::dyn_cast<llvm::ICmpInst>(choice->getCondition());
  if (test == nullptr || !test->isEquality() || test->getOperand(0) != &number ||
      !llvm::PatternMatch::match(test->getOperand(1), llvm::PatternMatch::m_Zero()))
    return false;
  const bool if_zero = test->getPredicate() == llvm::ICmpInst::ICMP_EQ;
  return (if_zero ? choice->getTrueValue() : choice->getFalseValue()) != &count;
}

// __builtin_ffs is made of such a count, and does not take it if there is no bit.
bool is_taken_only_with_bits(const llvm::IntrinsicInst& call) {
  const llvm::Value& number = *call.getArgOperand(0);
  return !call.use_empty() && llvm::all_of(call.users(), [&](const llvm::User* user) {
    const bool adds = llvm::isa<llvm::BinaryOperator>(user) && !user->use_empty();
    return takes_if_not_zero(user, call, number) ||
           (adds && llvm::all_of(user->users(), [&](const llvm::User* next) {
              return takes_if_not_zero(next, *user, number);
            }));
  });
}

// __builtin_clz and __builtin_ctz count the zeros before a bit, which must be there.
void require_bits(FunctionLowering& lowering, const llvm::IntrinsicInst& call) {
  const bool counts = call.getIntrinsicID() == Intrinsic::ctlz || call.getIntrinsicID() == Intrinsic::cttz;
  if (!counts || !llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne()) return;
  if (llvm::isKnownNonZero(call.getArgOperand(0), lowering.data()) || is_taken_only_with_bits(call)) return;
  const ExprId number = lowering.use(*call.getArgOperand(0));
  Expressions& build = lowering.build;
  lowering.emitter.require(
      build.compare(ExprOp::kNe, number, build.constant(0, build.type(number))),
      call.getIntrinsicID() == Intrinsic::ctlz ? "__builtin_clz(0)" : "__builtin_ctz(0)");
}

}  // namespace

bool is_ignored_intrinsic(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::dbg_assign:
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_label:
    case Intrinsic::dbg_value:
    case Intrinsic::assume:
    case Intrinsic::prefetch:
    case Intrinsic::sideeffect:
    case Intrinsic::donothing:
    case Intrinsic::var_annotation:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::pseudoprobe: return true;
    default: return false;
  }
}

bool is_pure_intrinsic(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::stacksave: return true;
    case Intrinsic::is_constant:
    case Intrinsic::objectsize:
    case Intrinsic::frameaddress:
    case Intrinsic::returnaddress: return true;
    default: return passed_on(call) != nullptr || computes_bits(call);
  }
}

void lower_intrinsic(FunctionLowering& lowering, const llvm::IntrinsicInst& call) {
  if (lower_effect(lowering, call)) return;
  require_bits(lowering, call);
  if (!lowering.plan.used(call)) {
    if (is_pure_intrinsic(call)) return;
  } else if (const llvm::Value* operand = passed_on(call)) {
    return lowering.define(call, lowering.use_all(*operand));
  } else if (const auto value = fixed_value(lowering, call)) {
    return lowering.define(call, *value);
  } else if (computes_bits(call)) {
    return lowering.define(call, computed_bits(lowering, call));
  }
  lowering.unsupported(call, fmt::format("the intrinsic function {} is not supported",
                                         call.getCalledFunction()->getName().str()));
}

}  // namespace weir::c
