#include "fuzz/c_fuzz_defined.hpp"

#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace weir::fuzz {

namespace {

using llvm::Attribute;
using llvm::Instruction;

// --- Flags and promises
// ---------------------------------------------------------------------------------------------

void drop_flags(Instruction& i) {
  i.dropPoisonGeneratingFlags();
  i.dropPoisonGeneratingMetadata();
  if (llvm::isa<llvm::FPMathOperator>(i)) i.setFast(false);
  if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&i))
    gep->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i); load != nullptr && !load->isAtomic())
    load->setAlignment(llvm::Align(1));
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i); store != nullptr && !store->isAtomic())
    store->setAlignment(llvm::Align(1));
  for (llvm::Use& operand : i.operands())
    if (llvm::isa<llvm::UndefValue>(operand.get()))
      operand.set(llvm::Constant::getNullValue(operand->getType()));
}

// What a function says about itself may be wrong once it was changed, and is wrong once it is observed: the
// call of a function without effects is not executed if nobody needs its result.
const llvm::AttributeMask& promises() {
  static const llvm::AttributeMask mask = [] {
    llvm::AttributeMask promised;
    for (const Attribute::AttrKind kind : {Attribute::Memory,          Attribute::WillReturn,
                                           Attribute::MustProgress,    Attribute::NoFree,
                                           Attribute::NoSync,          Attribute::NoRecurse,
                                           Attribute::Speculatable,    Attribute::ReadNone,
                                           Attribute::ReadOnly,        Attribute::WriteOnly,
                                           Attribute::NoAlias,         Attribute::NoCapture,
                                           Attribute::NonNull,         Attribute::NoUndef,
                                           Attribute::Dereferenceable, Attribute::DereferenceableOrNull,
                                           Attribute::Returned,        Attribute::Range,
                                           Attribute::NoFPClass,       Attribute::Writable,
                                           Attribute::Initializes})
      promised.addAttribute(kind);
    return promised;
  }();
  return mask;
}

template <class Callable>  // a function or a call
void drop_promises(Callable& callable, unsigned parameters) {
  callable.removeFnAttrs(promises());
  callable.removeRetAttrs(promises());
  for (unsigned i = 0; i < parameters; ++i) callable.removeParamAttrs(i, promises());
}

// --- Results that are undefined
// -------------------------------------------------------------------------------------

void limit_shift(Instruction& i) {
  if (!i.isShift() || !i.getType()->isIntegerTy()) return;
  llvm::IRBuilder<> builder(&i);
  i.setOperand(1, builder.CreateURem(i.getOperand(1),
                                     llvm::ConstantInt::get(i.getType(), i.getType()->getIntegerBitWidth())));
}

// Numbers that every type with more than 7 bits holds; others become 0.
void limit_conversion(Instruction& i) {
  if (!llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(i)) return;
  llvm::IRBuilder<> builder(&i);
  llvm::Value* number = i.getOperand(0);
  llvm::Type* type = number->getType();
  const double most = i.getType()->getScalarSizeInBits() > 7 ? 100 : 0;
  llvm::Value* fits = builder.CreateAnd(builder.CreateFCmpOGE(number, llvm::ConstantFP::get(type, 0)),
                                        builder.CreateFCmpOLE(number, llvm::ConstantFP::get(type, most)));
  i.setOperand(0, builder.CreateSelect(fits, number, llvm::ConstantFP::get(type, 0)));
}

// Which zero is the larger one, nobody says: the sum with 0 is the positive one.
void make_zeros_positive(llvm::IntrinsicInst& call) {
  llvm::IRBuilder<> builder(&call);
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Value* number = call.getArgOperand(i);
    call.setArgOperand(i, builder.CreateFAdd(number, llvm::ConstantFP::get(number->getType(), 0)));
  }
}

void define_intrinsic(Instruction& i) {
  auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  if (intrinsic == nullptr) return;
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:  // the flag that makes a result undefined is the last argument of these
      intrinsic->setArgOperand(1, llvm::ConstantInt::getFalse(i.getContext()));
      break;
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum: make_zeros_positive(*intrinsic); break;
    default: break;
  }
}

// --- Accesses
// -------------------------------------------------------------------------------------------------------

// What an instruction reads or writes, and where.
struct MemoryAccess {
  const llvm::Value* pointer = nullptr;
  llvm::Type* type = nullptr;
};

MemoryAccess access_of(const Instruction& i) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
    return {load->getPointerOperand(), load->getType()};
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
    return {store->getPointerOperand(), store->getValueOperand()->getType()};
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
    return {update->getPointerOperand(), update->getType()};
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
    return {exchange->getPointerOperand(), exchange->getCompareOperand()->getType()};
  return {};
}

// Of a variable; null for other values.
llvm::Type* type_of_variable(const llvm::Value& value) {
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&value)) return variable->getAllocatedType();
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) return variable->getValueType();
  return nullptr;
}

bool has_odd_integer(const llvm::Type& type) {
  if (type.isIntegerTy()) return type.getIntegerBitWidth() % 8 != 0;
  return llvm::any_of(type.subtypes(), [](const llvm::Type* part) { return has_odd_integer(*part); });
}

// Of a type like i13, LLVM says what is loaded only where an i13 was stored, and not which bits around it are
// stored: unless the variable is one, all bits of the bytes are loaded and stored. False if that cannot be.
bool take_whole_bytes(Instruction& i) {
  const MemoryAccess access = access_of(i);
  if (access.type == nullptr || !has_odd_integer(*access.type)) return true;
  if (type_of_variable(*access.pointer) == access.type) return true;
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
  if (!access.type->isIntegerTy() || (load == nullptr && store == nullptr)) return false;
  llvm::IRBuilder<> builder(&i);
  const std::uint64_t bits = i.getDataLayout().getTypeStoreSizeInBits(access.type);
  llvm::Type* whole = builder.getIntNTy(static_cast<unsigned>(bits));
  if (load != nullptr) {
    llvm::Value* loaded =
        builder.CreateAlignedLoad(whole, load->getPointerOperand(), llvm::Align(1), load->isVolatile());
    i.replaceAllUsesWith(builder.CreateTrunc(loaded, access.type));
  } else {
    builder.CreateAlignedStore(builder.CreateZExt(store->getValueOperand(), whole),
                               store->getPointerOperand(), llvm::Align(1), store->isVolatile());
  }
  i.eraseFromParent();
  return true;
}

// --- Addresses
// ------------------------------------------------------------------------------------------------------

bool contains_pointer(const llvm::Type& type) {
  return type.isPointerTy() ||
         llvm::any_of(type.subtypes(), [](const llvm::Type* part) { return contains_pointer(*part); });
}

// Does a variable of this type have a byte of a pointer among those from `begin` on and before `end`?
bool has_pointer_at(llvm::Type& type, std::uint64_t begin, std::uint64_t end, const llvm::DataLayout& data) {
  if (!type.isSized() || begin >= data.getTypeAllocSize(&type).getFixedValue()) return false;
  if (!type.isAggregateType()) return contains_pointer(type);
  auto* structure = llvm::dyn_cast<llvm::StructType>(&type);
  const auto has_part_at = [&](llvm::Type& part, std::uint64_t offset) {
    return end > offset && has_pointer_at(part, begin > offset ? begin - offset : 0, end - offset, data);
  };
  if (structure != nullptr) {
    const llvm::StructLayout& layout = *data.getStructLayout(structure);
    for (unsigned n = 0; n < structure->getNumElements(); ++n)
      if (has_part_at(*structure->getElementType(n), layout.getElementOffset(n))) return true;
    return false;
  }
  llvm::Type& element = *type.getArrayElementType();
  const std::uint64_t size = data.getTypeAllocSize(&element);
  if (size == 0 || !contains_pointer(element)) return false;
  const std::uint64_t count = type.getArrayNumElements();
  for (std::uint64_t n = begin / size; n < count && n * size < end; ++n)
    if (has_part_at(element, n * size)) return true;
  return false;
}

// A pointer in memory that is taken as a number, or a number's place that is given a pointer. Only where the
// access names its variable; for the others there is the second execution, with other addresses.
bool confuses_pointers(const Instruction& i) {
  const MemoryAccess access = access_of(i);
  if (access.pointer == nullptr || !access.type->isSized()) return false;
  const llvm::DataLayout& data = i.getDataLayout();
  llvm::APInt offset(data.getIndexTypeSizeInBits(access.pointer->getType()), 0);
  const llvm::Value* base = access.pointer->stripAndAccumulateConstantOffsets(data, offset, true);
  llvm::Type* type = type_of_variable(*base);
  if (type == nullptr || offset.isNegative()) return false;
  const std::uint64_t begin = offset.getZExtValue();
  const std::uint64_t end = begin + data.getTypeStoreSize(access.type).getKnownMinValue();
  return has_pointer_at(*type, begin, end, data) != contains_pointer(*access.type);
}

bool depends_on_addresses(const Instruction& i) {
  if (llvm::isa<llvm::PtrToIntInst>(i) || confuses_pointers(i)) return true;
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&i);
  return comparison != nullptr && comparison->isRelational() &&
         comparison->getOperand(0)->getType()->isPointerTy();
}

// --- Surroundings
// ---------------------------------------------------------------------------------------------------

// Weir gives fixed answers to these.
bool depends_on_surroundings(const Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call == nullptr) return false;
  if (call->isInlineAsm()) return true;
  const llvm::Function* callee = call->getCalledFunction();
  if (callee == nullptr) return false;
  if (!callee->isIntrinsic()) return !call->use_empty() && gives_output(*callee);
  switch (callee->getIntrinsicID()) {
    case llvm::Intrinsic::is_constant:
    case llvm::Intrinsic::objectsize:
    case llvm::Intrinsic::frameaddress:
    case llvm::Intrinsic::returnaddress:
    case llvm::Intrinsic::addressofreturnaddress:
    case llvm::Intrinsic::ptrmask:
    case llvm::Intrinsic::sponentry: return true;
    default: return false;
  }
}

bool is_huge(const llvm::AllocaInst& variable) {
  constexpr std::uint64_t kLargest = 1 << 20;
  const auto size = variable.getAllocationSize(variable.getDataLayout());
  return !size || size->isScalable() || size->getFixedValue() > kLargest;
}

bool make_defined(Instruction& i) {
  if (depends_on_addresses(i) || depends_on_surroundings(i)) return false;
  // What does not fit on the processor's stack is no violation.
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i); variable != nullptr && is_huge(*variable))
    return false;
  // Bits around a bit field may be whatever they are.
  if (i.getName().starts_with("bf.load")) return false;
  drop_flags(i);
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) drop_promises(*call, call->arg_size());
  limit_shift(i);
  limit_conversion(i);
  define_intrinsic(i);
  return take_whole_bytes(i);
}

}  // namespace

bool gives_output(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return function.isDeclaration() && !function.isIntrinsic() &&
         (name.contains("print") || name.contains("put") || name == "fflush");
}

bool make_defined(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) drop_promises(function, static_cast<unsigned>(function.arg_size()));
    std::vector<Instruction*> all;
    for (Instruction& instruction : llvm::instructions(function)) all.push_back(&instruction);
    for (Instruction* instruction : all)
      if (!make_defined(*instruction)) return false;
  }
  return true;
}

}  // namespace weir::fuzz
