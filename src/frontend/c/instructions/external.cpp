#include "frontend/c/instructions/external.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <optional>

#include "frontend/c/instructions/call.hpp"
#include "frontend/c/instructions/intrinsics.hpp"
#include "frontend/c/library/library.hpp"
#include "frontend/c/lowering/function.hpp"
#include "frontend/c/names.hpp"

namespace weir::c {

namespace {

using llvm::CallBase;

llvm::StringRef external_name(const CallBase& call) {
  const auto* callee = llvm::dyn_cast_or_null<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  return callee != nullptr && callee->isDeclaration() ? callee->getName() : llvm::StringRef();
}

// What the table says about a function that no file defines.
Treatment treatment_of(llvm::StringRef name, Treatment otherwise) {
  const LibraryFunction* known = library_function(name);
  return known == nullptr ? otherwise : known->treatment;
}

bool is_ignored(llvm::StringRef name) {
  return treatment_of(name, Treatment::kRuntime) == Treatment::kIgnored;
}

// --- Verification tasks
// -------------------------------------------------------------------------------------

constexpr llvm::StringLiteral kNondet = "__VERIFIER_nondet_";

// Values of a type that the user restricts by an option; those of one bit are all there.
struct Range {
  Value low = 0, high = 0;
  bool all = false;  // of the type's values
};

bool is_unsigned(llvm::StringRef suffix) {
  return suffix.starts_with("u") || suffix.starts_with("U") || suffix == "size_t" || suffix == "sector_t";
}

Range range_of(llvm::StringRef suffix, Type type, const COptions& options) {
  if (suffix == "bool" || suffix == "_Bool" || type.bits == 1) return {0, 1, true};
  const bool is_signed = !is_unsigned(suffix);
  const Value least = is_signed ? wrap(std::uint64_t{1} << (type.bits - 1), {type.bits, true}) : 0;
  const Value most = is_signed || type.bits == 64
                         ? wrap((std::uint64_t{1} << (type.bits - 1)) - 1, {type.bits, true})
                         : static_cast<Value>((std::uint64_t{1} << type.bits) - 1);
  const bool all =
      options.nondet_low <= least && options.nondet_high >= most && !(type.bits == 64 && !is_signed);
  return {std::max(least, options.nondet_low), std::min(most, options.nondet_high), all};
}

void lower_nondet(FunctionLowering& lowering, const CallBase& call, llvm::StringRef name) {
  const auto type = scalar_type(call.getType());
  if (!type || call.getType()->isPointerTy())
    return lowering.unsupported(call, fmt::format("`{}` is not supported", name.str()),
                                "unknown numbers are: __VERIFIER_nondet_int() and the like");
  const bool is_float = call.getType()->isFloatingPointTy();
  const Type chosen = is_float ? kInt64 : *type;
  const Range range = range_of(name.drop_front(kNondet.size()), chosen, lowering.module.options);
  if (range.low > range.high)
    return lowering.unsupported(call, fmt::format("the range given leaves no value for `{}`", name.str()),
                                "give another one with --nondet-range");
  if (!range.all)
    lowering.module.restrict(fmt::format("{}() gives {} to {} only", name.str(), range.low, range.high));
  if (!is_float)
    return lowering.emitter.emit({.op = Opcode::kChoose,
                                  .result = lowering.result_register(call),
                                  .low = range.low,
                                  .high = range.high});
  const RegisterId number = lowering.emitter.fresh(kInt64);
  lowering.emitter.emit({.op = Opcode::kChoose, .result = number, .low = range.low, .high = range.high});
  lowering.define(call,
                  lowering.build.convert(ExprOp::kIntToFloat, lowering.emitter.value_of(number), *type));
}

ExprId truth_of(FunctionLowering& lowering, const llvm::Value& value) {
  const ExprId number = lowering.use(value);
  return lowering.build.compare(ExprOp::kNe, number, lowering.build.constant(0, lowering.build.type(number)));
}

// Executions in which it does not hold do not count. In a block: this way through it does not exist.
void lower_assume(FunctionLowering& lowering, const CallBase& call) {
  const ExprId holds = truth_of(lowering, *call.getArgOperand(0));
  if (lowering.inside_block()) return lowering.emitter.assume(holds);
  lowering.emitter.when(lowering.build.negation(holds), [&] { lowering.emitter.halt_unassumed(); });
}

void lower_assertion_failure(FunctionLowering& lowering, const CallBase& call) {
  const std::string expression = text_argument(call, 0), function = text_argument(call, 3);
  if (function.find("reach_error") != std::string::npos && expression == "0")
    return lowering.emitter.fail("reach_error() is called");
  lowering.emitter.fail(expression.empty() ? "an assertion fails"
                                           : fmt::format("assertion \"{}\" fails", expression));
}

// False if the function is none of those that verification tasks or the C library use to end an execution.
bool lower_known(FunctionLowering& lowering, const CallBase& call, llvm::StringRef name) {
  const bool listed = treatment_of(name, Treatment::kRuntime) == Treatment::kLowered;
  if (!listed && !name.starts_with(kNondet)) return false;
  Emitter& emitter = lowering.emitter;
  const bool has_argument = call.arg_size() > 0;
  if (name.starts_with(kNondet)) {
    lower_nondet(lowering, call, name);
  } else if ((name == "__VERIFIER_assume" || name == "assume_abort_if_not") && has_argument) {
    lower_assume(lowering, call);
  } else if (name == "assert" && has_argument) {  // without its header
    emitter.require(truth_of(lowering, *call.getArgOperand(0)), "an assertion fails");
  } else if (name == "__VERIFIER_assert" && has_argument) {
    emitter.require(truth_of(lowering, *call.getArgOperand(0)), "__VERIFIER_assert() fails");
  } else if (name == "__VERIFIER_error" || name == "reach_error") {
    emitter.fail(fmt::format("{}() is called", name.str()));
  } else if (name == "__VERIFIER_atomic_begin") {
    lowering.begin_block("executes an atomic block");
  } else if (name == "__VERIFIER_atomic_end") {
    lowering.end_block();
  } else if (name == "__assert_fail" || name == "__assert" || name == "__assert_perror_fail") {
    lower_assertion_failure(lowering, call);
  } else if (name == "exit" || name == "_exit" || name == "_Exit" || name == "quick_exit" ||
             name == "abort") {
    emitter.halt();
  } else {
    return false;
  }
  return true;
}

// --- What does not work
// -------------------------------------------------------------------------------------

struct Advice {
  llvm::StringLiteral name, text;
};

constexpr Advice kAdvice[] = {
    {"fork", "Weir checks threads of one process; use pthread_create"},
    {"vfork", "Weir checks threads of one process; use pthread_create"},
    {"clone", "use pthread_create"},
    {"pthread_cancel", "let the thread end by itself, say by a flag that it looks at"},
    {"signal", "signals are not supported; a thread can take the handler's place"},
    {"sigaction", "signals are not supported; a thread can take the handler's place"},
    {"pthread_kill", "signals are not supported; a condition variable or a flag can take their place"},
    {"setjmp", "jumps between functions are not supported"},
    {"_setjmp", "jumps between functions are not supported"},
    {"longjmp", "jumps between functions are not supported"},
    {"scanf", "take inputs from __VERIFIER_nondet_int()"},
    {"__isoc99_scanf", "take inputs from __VERIFIER_nondet_int()"},
    {"fgets", "take inputs from __VERIFIER_nondet_int()"},
    {"getchar", "take inputs from __VERIFIER_nondet_int()"},
    {"read", "take inputs from __VERIFIER_nondet_int()"},
    {"sbrk", "use malloc"},
    {"mmap", "use malloc"},
    {"futex", "use the functions of pthread.h"},
};

std::string distance_hint(const llvm::Module& module, llvm::StringRef name) {
  constexpr unsigned kNear = 2;
  llvm::StringRef best;
  unsigned least = kNear + 1;
  const auto consider = [&](llvm::StringRef candidate) {
    const unsigned distance = name.edit_distance(candidate, true, kNear);
    if (distance == 0 || distance >= least) return;
    least = distance;
    best = candidate;
  };
  for (const llvm::Function& function : module)
    if (!function.isDeclaration() && !function.getName().starts_with("__weir")) consider(function.getName());
  for (const LibraryFunction& function : library_functions()) consider(function.name);
  return best.empty() ? "" : fmt::format("did you mean `{}`?", best.str());
}

std::string advice_for(const llvm::Module& module, llvm::StringRef name) {
  for (const Advice& advice : kAdvice)
    if (name == advice.name) return advice.text.str();
  if (std::string near = distance_hint(module, name); !near.empty()) return near;
  return "add the file that defines it, or write a few lines that stand for it";
}

}  // namespace

bool has_no_effect(const CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return is_ignored_intrinsic(*intrinsic);
  const llvm::StringRef name = external_name(call);
  return is_ignored(name);
}

bool is_pure_call(const CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return is_pure_intrinsic(*intrinsic);
  const llvm::StringRef name = external_name(call);
  return name == "__weir_self" || name == "__weir_thread_limit" || name == "__weir_block_size" ||
         name == "__weir_can_end" || is_uninitialised_mark(call);
}

void lower_ignored(FunctionLowering& lowering, const CallBase& call) {
  for (const llvm::Use& argument : call.args()) lowering.check_initialised(*argument);
}

void lower_external(FunctionLowering& lowering, const CallBase& call) {
  const llvm::StringRef name = external_name(call);
  if (lower_known(lowering, call, name)) return;
  const auto* callee = llvm::cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  lowering.unsupported(call,
                       fmt::format("the function `{}` is called, but nobody defines it", name_of(*callee)),
                       advice_for(*callee->getParent(), name));
}

}  // namespace weir::c
