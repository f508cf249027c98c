// Calls: of intrinsic functions of all kinds, of library functions whether or not weir knows them, of
// assembly, and calls whose types do not fit.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/Error.h>

#include "fuzz/c_fuzz_mutation.hpp"

namespace weir::fuzz {

namespace {

namespace Intrinsic = llvm::Intrinsic;
using Descriptor = Intrinsic::IITDescriptor;

llvm::Type* overloaded_type(Mutant& mutant, Descriptor::ArgKind kind) {
  llvm::LLVMContext& context = mutant.context;
  switch (kind) {
    case Descriptor::AK_AnyInteger: return mutant.integer_type();
    case Descriptor::AK_AnyFloat:
      return mutant.random.one_in(2) ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
    case Descriptor::AK_AnyVector: return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), 4);
    case Descriptor::AK_AnyPointer: return llvm::PointerType::getUnqual(context);
    default: return mutant.random.one_in(2) ? mutant.integer_type() : llvm::PointerType::getUnqual(context);
  }
}

// Types for the overloaded ones; false if it needs others than can be made up.
bool choose_types(Mutant& mutant, Intrinsic::ID id, llvm::SmallVectorImpl<llvm::Type*>& types) {
  llvm::SmallVector<Descriptor, 8> table;
  Intrinsic::getIntrinsicInfoTableEntries(id, table);
  for (const Descriptor& entry : table) {
    if (entry.Kind > Descriptor::Argument || entry.Kind == Descriptor::Token) return false;
    if (entry.Kind != Descriptor::Argument || entry.getArgumentKind() == Descriptor::AK_MatchType) continue;
    if (entry.getArgumentNumber() != types.size()) continue;
    types.push_back(overloaded_type(mutant, entry.getArgumentKind()));
  }
  return true;
}

llvm::Value* argument_of(Mutant& mutant, llvm::Type* type, bool immediate, llvm::Instruction& place) {
  if (type->isMetadataTy())
    return llvm::MetadataAsValue::get(mutant.context, mutant.random.one_in(2)
                                                          ? static_cast<llvm::Metadata*>(llvm::MDString::get(
                                                                mutant.context, "round.tonearest"))
                                                          : llvm::MDNode::get(mutant.context, {}));
  if (!immediate) return mutant.value(type, place);
  return type->isIntegerTy() ? llvm::ConstantInt::get(type, mutant.random.below(3))
                             : llvm::Constant::getNullValue(type);
}

void add_intrinsic(Mutant& mutant, Intrinsic::ID id) {
  llvm::Instruction* place = mutant.place();
  llvm::SmallVector<llvm::Type*, 4> types;
  if (place == nullptr || !choose_types(mutant, id, types)) return;
  llvm::Function* callee = Intrinsic::getDeclaration(&mutant.module, id, types);
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (llvm::Argument& parameter : callee->args()) {
    llvm::Value* argument =
        argument_of(mutant, parameter.getType(), parameter.hasAttribute(llvm::Attribute::ImmArg), *place);
    if (argument == nullptr) return;
    arguments.push_back(argument);
  }
  llvm::IRBuilder<> builder(place);
  mutant.keep(*builder.CreateCall(callee, arguments), *place);
}

void insert_common_intrinsic(Mutant& mutant) {
  constexpr Intrinsic::ID kCommon[] = {
      Intrinsic::abs,      Intrinsic::smax,       Intrinsic::umin,       Intrinsic::scmp,
      Intrinsic::ucmp,     Intrinsic::ctpop,      Intrinsic::ctlz,       Intrinsic::cttz,
      Intrinsic::bswap,    Intrinsic::bitreverse, Intrinsic::fshl,       Intrinsic::fshr,
      Intrinsic::sadd_sat, Intrinsic::uadd_sat,   Intrinsic::ssub_sat,   Intrinsic::usub_sat,
      Intrinsic::sshl_sat, Intrinsic::ushl_sat,   Intrinsic::fabs,       Intrinsic::copysign,
      Intrinsic::fmuladd,  Intrinsic::fma,        Intrinsic::minnum,     Intrinsic::maxnum,
      Intrinsic::minimum,  Intrinsic::maximum,    Intrinsic::is_fpclass, Intrinsic::sqrt,
      Intrinsic::floor,    Intrinsic::fptosi_sat, Intrinsic::expect,     Intrinsic::is_constant,
      Intrinsic::smul_fix, Intrinsic::ptrmask,    Intrinsic::smin,       Intrinsic::umax};
  add_intrinsic(mutant, mutant.random.any(kCommon));
}

void insert_overflow_intrinsic(Mutant& mutant) {
  constexpr Intrinsic::ID kOverflows[] = {Intrinsic::sadd_with_overflow, Intrinsic::uadd_with_overflow,
                                          Intrinsic::ssub_with_overflow, Intrinsic::usub_with_overflow,
                                          Intrinsic::smul_with_overflow, Intrinsic::umul_with_overflow};
  llvm::Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::Type* type = mutant.integer_type();
  llvm::IRBuilder<> builder(place);
  llvm::Value* pair = builder.CreateIntrinsic(mutant.random.any(kOverflows), {type},
                                              {mutant.value(type, *place), mutant.value(type, *place)});
  mutant.keep(*builder.CreateExtractValue(pair, {static_cast<unsigned>(mutant.random.below(2))}), *place);
}

// Those of the machine-independent part come first by number, but for the targets' they are sorted by name.
void insert_any_intrinsic(Mutant& mutant) {
  const auto id = static_cast<Intrinsic::ID>(1 + mutant.random.below(Intrinsic::num_intrinsics - 1));
  const llvm::StringRef name = Intrinsic::getBaseName(id);
  if (!name.starts_with("llvm.x86.") && llvm::Function::isTargetIntrinsic(id) && !mutant.random.one_in(20))
    return;
  add_intrinsic(mutant, id);
}

void insert_independent_intrinsic(Mutant& mutant) {
  for (int tries = 0; tries < 200; ++tries) {
    const auto id = static_cast<Intrinsic::ID>(1 + mutant.random.below(Intrinsic::num_intrinsics - 1));
    if (!llvm::Function::isTargetIntrinsic(id)) return add_intrinsic(mutant, id);
  }
}

constexpr const char* kLibrary[] = {"malloc",
                                    "calloc",
                                    "realloc",
                                    "free",
                                    "memcpy",
                                    "memmove",
                                    "memset",
                                    "memcmp",
                                    "strlen",
                                    "strcmp",
                                    "strcpy",
                                    "strdup",
                                    "abs",
                                    "exit",
                                    "abort",
                                    "atexit",
                                    "printf",
                                    "sprintf",
                                    "puts",
                                    "rand",
                                    "time",
                                    "getenv",
                                    "setjmp",
                                    "longjmp",
                                    "fork",
                                    "signal",
                                    "pthread_create",
                                    "pthread_join",
                                    "pthread_self",
                                    "pthread_exit",
                                    "mtx_lock",
                                    "pthread_mutex_lock",
                                    "pthread_mutex_unlock",
                                    "pthread_cond_wait",
                                    "sem_wait",
                                    "sem_post",
                                    "pthread_cancel",
                                    "pthread_once",
                                    "thrd_create",
                                    "qsort",
                                    "alloca",
                                    "nobody_defines_this",
                                    "sin",
                                    "fabs",
                                    "__VERIFIER_nondet_int",
                                    "__VERIFIER_nondet_double",
                                    "__VERIFIER_nondet_pointer",
                                    "__VERIFIER_assume",
                                    "__VERIFIER_assert",
                                    "__VERIFIER_atomic_begin",
                                    "__VERIFIER_atomic_end",
                                    "reach_error",
                                    "__atomic_load_4",
                                    "__atomic_fetch_add_8",
                                    "__atomic_compare_exchange",
                                    "__sync_synchronize",
                                    "__weir_self",
                                    "__weir_atomic_begin",
                                    "__weir_atomic_end",
                                    "__weir_fail",
                                    "__weir_spawn",
                                    "__weir_give_up",
                                    "__weir_halt",
                                    "__weir_fall_asleep",
                                    "__weir_wake_all",
                                    "__weir_wait_until",
                                    "__weir_uninitialised.i32",
                                    "__weir_block_size",
                                    "__weir_allocate",
                                    "__weir_call_main",
                                    "__weir_program_main",
                                    "__weir_thread_main",
                                    "__assert_fail",
                                    "__cxa_throw",
                                    "_Znwm",
                                    "_ZdlPv"};

// With parameters that are made up, unless the module declares it.
void insert_library_call(Mutant& mutant) {
  llvm::Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Type* types[] = {builder.getInt32Ty(), builder.getInt64Ty(), builder.getPtrTy(),
                         builder.getVoidTy(),  builder.getInt1Ty(),  builder.getDoubleTy()};
  std::vector<llvm::Type*> parameters(mutant.random.below(5));
  for (llvm::Type*& type : parameters) do
      type = mutant.random.any(types);
    while (type->isVoidTy());
  auto* type = llvm::FunctionType::get(mutant.random.any(types), parameters, mutant.random.one_in(8));
  const char* name = mutant.random.any(kLibrary);
  llvm::Function* known = mutant.module.getFunction(name);
  if (known != nullptr && !mutant.random.one_in(4)) type = known->getFunctionType();
  if (known == nullptr && mutant.module.getNamedValue(name) != nullptr) return;
  const llvm::FunctionCallee callee =
      known != nullptr ? llvm::FunctionCallee(type, known) : mutant.module.getOrInsertFunction(name, type);
  std::vector<llvm::Value*> arguments;
  for (llvm::Type* parameter : type->params()) arguments.push_back(mutant.value(parameter, *place));
  mutant.keep(*builder.CreateCall(callee, arguments), *place);
}

void insert_assembly(Mutant& mutant) {
  constexpr const char* kTexts[] = {"",
                                    "mfence",
                                    "nop",
                                    "pause",
                                    "sfence",
                                    "lfence; mfence",
                                    "cpuid",
                                    "lock; addl $$0,0(%rsp)",
                                    "rep; nop",
                                    "cli",
                                    "mov $1, $0",
                                    "movl $1, $0",
                                    "lock xaddl $0, $1",
                                    "xchgl $0, $1",
                                    "hlt # mfence",
                                    "mfence\n\tud2",
                                    "lock cmpxchg $1, $0",
                                    "$(",
                                    "${0:w} $$ $9",
                                    "lock",
                                    "bsrq $1, $0"};
  constexpr const char* kConstraints[] = {"",      "~{memory}", "=r,r", "=r,r,~{memory}",
                                          "=r,*m", "=*m,r",     "r",    "=&{ax},=*m,r,0,*m,~{memory}",
                                          "=r,=r", "i",         "=r,0"};
  llvm::Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Type* results[] = {builder.getVoidTy(), builder.getInt32Ty(), builder.getInt64Ty(),
                           builder.getPtrTy(),
                           llvm::StructType::get(builder.getInt32Ty(), builder.getInt64Ty())};
  llvm::Type* parameter_types[] = {builder.getInt32Ty(), builder.getInt64Ty(), builder.getPtrTy()};
  std::vector<llvm::Type*> parameters(mutant.random.below(3));
  for (llvm::Type*& type : parameters) type = mutant.random.any(parameter_types);
  auto* type = llvm::FunctionType::get(mutant.random.any(results), parameters, false);
  const char* constraints = mutant.random.any(kConstraints);
  if (llvm::errorToBool(llvm::InlineAsm::verify(type, constraints))) return;
  auto* assembly =
      llvm::InlineAsm::get(type, mutant.random.any(kTexts), constraints, mutant.random.one_in(2));
  std::vector<llvm::Value*> arguments;
  for (llvm::Type* parameter : parameters) arguments.push_back(mutant.value(parameter, *place));
  llvm::CallInst* call = builder.CreateCall(assembly, arguments);
  for (unsigned i = 0; i < call->arg_size(); ++i)
    if (call->getArgOperand(i)->getType()->isPointerTy() && llvm::StringRef(constraints).contains('*'))
      call->addParamAttr(
          i, llvm::Attribute::get(mutant.context, llvm::Attribute::ElementType, builder.getInt32Ty()));
  mutant.keep(*call, *place);
}

// The same function, called as if it had other parameters or another result.
void change_signature(Mutant& mutant) {
  auto* call = llvm::cast_or_null<llvm::CallInst>(mutant.instruction([](const llvm::Instruction& i) {
    const auto* candidate = llvm::dyn_cast<llvm::CallInst>(&i);
    return candidate != nullptr && !candidate->isInlineAsm() &&
           (candidate->getCalledFunction() == nullptr || !candidate->getCalledFunction()->isIntrinsic());
  }));
  if (call == nullptr) return;
  std::vector<llvm::Value*> arguments(call->arg_begin(), call->arg_end());
  if (!arguments.empty() && mutant.random.one_in(2)) arguments.pop_back();
  if (!arguments.empty() && mutant.random.one_in(2))
    mutant.random.any(arguments) = mutant.constant(mutant.integer_type());
  if (mutant.random.one_in(3)) arguments.push_back(mutant.number(*call));
  std::vector<llvm::Type*> parameters;
  for (const llvm::Value* argument : arguments) parameters.push_back(argument->getType());
  llvm::Type* result = mutant.random.one_in(2) ? call->getType() : mutant.integer_type();
  auto* type = llvm::FunctionType::get(result, parameters, mutant.random.one_in(6));
  llvm::IRBuilder<> builder(call);
  llvm::CallInst* changed = builder.CreateCall(type, call->getCalledOperand(), arguments);
  if (changed->getType() == call->getType()) {
    call->replaceAllUsesWith(changed);
  } else if (!call->getType()->isVoidTy()) {
    call->replaceAllUsesWith(mutant.constant(call->getType()));
  }
  mutant.keep(*changed, *call);
  call->eraseFromParent();
}

void call_pointer(Mutant& mutant) {
  llvm::Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  auto* type = llvm::FunctionType::get(mutant.integer_type(), {builder.getInt32Ty()}, false);
  mutant.keep(*builder.CreateCall(type, mutant.pointer(*place), {mutant.value(builder.getInt32Ty(), *place)}),
              *place);
}

void change_call_attributes(Mutant& mutant) {
  auto* call = llvm::cast_or_null<llvm::CallInst>(
      mutant.instruction([](const llvm::Instruction& i) { return llvm::isa<llvm::CallInst>(i); }));
  if (call == nullptr) return;
  switch (mutant.random.below(5)) {
    case 0: call->setTailCallKind(llvm::CallInst::TCK_MustTail); break;
    case 1: call->setCallingConv(llvm::CallingConv::Fast); break;
    case 2: call->setDoesNotReturn(); break;
    case 3: call->addFnAttr(llvm::Attribute::ReturnsTwice); break;
    default:
      for (unsigned i = 0; i < call->arg_size(); ++i)
        if (call->getArgOperand(i)->getType()->isPointerTy())
          return call->addParamAttr(
              i, llvm::Attribute::get(mutant.context, llvm::Attribute::ByVal, mutant.integer_type()));
  }
}

constexpr Mutation kCalls[] = {
    {"insert a common intrinsic", insert_common_intrinsic, true},
    {"insert a common intrinsic", insert_common_intrinsic, true},
    {"insert an overflow intrinsic", insert_overflow_intrinsic, true},
    {"insert any intrinsic", insert_any_intrinsic},
    {"insert a machine-independent intrinsic", insert_independent_intrinsic},
    {"insert a library call", insert_library_call},
    {"insert assembly", insert_assembly},
    {"change a signature", change_signature},
    {"call a pointer", call_pointer},
    {"change attributes of a call", change_call_attributes},
};

}  // namespace

std::span<const Mutation> call_mutations() { return kCalls; }

}  // namespace weir::fuzz
