// New computations and accesses to memory, of common and of odd types.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "fuzz/c_fuzz_mutation.hpp"

namespace weir::fuzz {

namespace {

using llvm::Instruction;

llvm::Value* as_integer(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type, bool is_signed) {
  if (value->getType()->isFloatTy()) value = builder.CreateBitCast(value, builder.getInt32Ty());
  if (value->getType()->isDoubleTy()) value = builder.CreateBitCast(value, builder.getInt64Ty());
  return builder.CreateIntCast(value, type, is_signed);
}

// A computation in integers of any width, from what the program computes.
llvm::Value* computed(Mutant& mutant, llvm::IRBuilder<>& builder, Instruction& place, llvm::Type* type) {
  llvm::Value* a = as_integer(builder, mutant.number(place), type, mutant.random.one_in(2));
  llvm::Value* b = mutant.random.one_in(2)
                       ? mutant.constant(type)
                       : as_integer(builder, mutant.number(place), type, mutant.random.one_in(2));
  switch (mutant.random.below(14)) {
    case 0: return builder.CreateAdd(a, b);
    case 1: return builder.CreateSub(a, b);
    case 2: return builder.CreateMul(a, b);
    case 3: return builder.CreateSDiv(a, b);
    case 4: return builder.CreateUDiv(a, b);
    case 5: return builder.CreateSRem(a, b);
    case 6: return builder.CreateURem(a, b);
    case 7: return builder.CreateShl(a, b);
    case 8: return builder.CreateLShr(a, b);
    case 9: return builder.CreateAShr(a, b);
    case 10: return builder.CreateAnd(a, b);
    case 11: return builder.CreateXor(a, b);
    case 12:
      return builder.CreateSelect(
          builder.CreateICmp(static_cast<llvm::CmpInst::Predicate>(32 + mutant.random.below(10)), a, b), a,
          b);
    default:
      return builder.CreateICmp(static_cast<llvm::CmpInst::Predicate>(32 + mutant.random.below(10)), a, b);
  }
}

void add_arithmetic(Mutant& mutant, llvm::Type* type) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  mutant.keep(*computed(mutant, builder, *place, type), *place);
}

void insert_arithmetic(Mutant& mutant) { add_arithmetic(mutant, mutant.integer_type()); }

void insert_wide_arithmetic(Mutant& mutant) {
  constexpr unsigned kWidths[] = {65, 96, 127, 128, 256, 1000};
  add_arithmetic(mutant, llvm::Type::getIntNTy(mutant.context, mutant.random.any(kWidths)));
}

// Deep expressions: each operation on the result of the one before.
void insert_chain(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr || !mutant.random.one_in(4)) return;
  llvm::IRBuilder<> builder(place);
  llvm::Type* type = mutant.integer_type();
  llvm::Value* value = as_integer(builder, mutant.number(*place), type, true);
  for (std::size_t n = mutant.random.below(2000); n > 0; --n)
    value = n % 3 == 0 ? builder.CreateXor(builder.CreateMul(value, value), mutant.constant(type))
                       : builder.CreateSub(mutant.constant(type), value);
  mutant.keep(*value, *place);
}

void insert_floating_point(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Type* type = mutant.random.one_in(2) ? builder.getFloatTy() : builder.getDoubleTy();
  const auto operand = [&] {
    llvm::Value* value = mutant.number(*place);
    if (value->getType()->isFloatingPointTy()) return builder.CreateFPCast(value, type);
    return mutant.random.one_in(2) ? builder.CreateSIToFP(value, type) : builder.CreateUIToFP(value, type);
  };
  llvm::Value *a = operand(), *b = mutant.random.one_in(2) ? mutant.constant(type) : operand();
  llvm::Value* result = nullptr;
  switch (mutant.random.below(8)) {
    case 0: result = builder.CreateFAdd(a, b); break;
    case 1: result = builder.CreateFSub(a, b); break;
    case 2: result = builder.CreateFMul(a, b); break;
    case 3: result = builder.CreateFDiv(a, b); break;
    case 4: result = builder.CreateFNeg(a); break;
    case 5: result = builder.CreateFRem(a, b); break;
    case 6: result = builder.CreateFPToSI(a, mutant.integer_type()); break;
    default:
      result = builder.CreateFCmp(static_cast<llvm::CmpInst::Predicate>(mutant.random.below(16)), a, b);
  }
  mutant.keep(*result, *place);
}

// By way of another type and back.
void insert_detour(Mutant& mutant) {
  Instruction* i = mutant.instruction([](const Instruction& candidate) {
    return candidate.getType()->isIntegerTy() && !candidate.isTerminator() &&
           !llvm::isa<llvm::PHINode>(candidate);
  });
  if (i == nullptr || i->getNextNode() == nullptr) return;
  llvm::IRBuilder<> builder(i->getNextNode());
  llvm::Type* type = i->getType();
  llvm::Value* there = nullptr;
  llvm::Value* back = nullptr;
  if (mutant.random.one_in(3)) {
    constexpr llvm::Type* (*kFloats[])(llvm::LLVMContext&) = {
        llvm::Type::getHalfTy,  llvm::Type::getBFloatTy,   llvm::Type::getFP128Ty,
        llvm::Type::getFloatTy, llvm::Type::getX86_FP80Ty, llvm::Type::getDoubleTy};
    there = builder.CreateSIToFP(i, mutant.random.any(kFloats)(mutant.context));
    back = builder.CreateFPToSI(there, type);
  } else if (mutant.random.one_in(4)) {
    there = builder.CreateIntToPtr(i, builder.getPtrTy());
    if (mutant.random.one_in(3))
      there = builder.CreateAddrSpaceCast(there, llvm::PointerType::get(mutant.context, 3));
    back = builder.CreatePtrToInt(there, type);
  } else if (type->getIntegerBitWidth() % 8 == 0 && mutant.random.one_in(3)) {
    auto* vector = llvm::FixedVectorType::get(builder.getInt8Ty(), type->getIntegerBitWidth() / 8);
    there = builder.CreateBitCast(i, vector);
    back = builder.CreateBitCast(there, type);
  } else if (mutant.random.one_in(4)) {
    there = builder.CreateInsertElement(mutant.constant(llvm::FixedVectorType::get(type, 2)), i,
                                        std::uint64_t{1});
    back = builder.CreateExtractElement(there, mutant.random.below(3));
  } else if (mutant.random.one_in(3)) {
    auto* pair = llvm::StructType::get(mutant.context, {mutant.integer_type(), type, builder.getPtrTy()});
    there = builder.CreateInsertValue(mutant.constant(pair), i, {1});
    back = builder.CreateExtractValue(there, {1});
  } else {
    there = builder.CreateIntCast(i, mutant.integer_type(), mutant.random.one_in(2));
    back = builder.CreateIntCast(there, type, mutant.random.one_in(2));
  }
  if (back != i && llvm::isa<Instruction>(back))
    mutant.keep(*back, *llvm::cast<Instruction>(back)->getNextNode());
}

void insert_conversion(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Value* from = mutant.random.one_in(2) ? mutant.number(*place) : mutant.constant(mutant.odd_type());
  llvm::Type* to = mutant.random.one_in(2) ? mutant.odd_type() : mutant.integer_type();
  const auto code = static_cast<Instruction::CastOps>(
      Instruction::CastOpsBegin +
      mutant.random.below(Instruction::CastOpsEnd - static_cast<std::size_t>(Instruction::CastOpsBegin)));
  if (llvm::CastInst::castIsValid(code, from->getType(), to))
    mutant.keep(*builder.CreateCast(code, from, to), *place);
}

void insert_access(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Type* type = mutant.random.one_in(4) ? mutant.odd_type() : mutant.integer_type();
  llvm::Value* pointer = mutant.random.one_in(2) && !llvm::isa<llvm::ScalableVectorType>(type)
                             ? static_cast<llvm::Value*>(mutant.variable(type))
                             : mutant.pointer(*place);
  if (mutant.random.one_in(2)) {
    mutant.keep(*builder.CreateAlignedLoad(type, pointer, llvm::Align(1), mutant.random.one_in(2)), *place);
  } else if (llvm::Value* stored = mutant.value(type, *place)) {
    builder.CreateAlignedStore(stored, pointer, llvm::Align(1), mutant.random.one_in(2));
  }
}

void insert_atomic(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  constexpr unsigned kWidths[] = {8, 16, 32, 64, 128};
  llvm::Type* type = llvm::Type::getIntNTy(mutant.context, mutant.random.any(kWidths));
  if (mutant.random.one_in(5)) type = builder.getDoubleTy();
  if (mutant.random.one_in(8)) type = builder.getPtrTy();
  llvm::Value* pointer =
      mutant.random.one_in(2) ? static_cast<llvm::Value*>(mutant.variable(type)) : mutant.pointer(*place);
  const auto order = llvm::AtomicOrdering::SequentiallyConsistent;
  switch (mutant.random.below(4)) {
    case 0: {
      const auto operation =
          static_cast<llvm::AtomicRMWInst::BinOp>(mutant.random.below(llvm::AtomicRMWInst::LAST_BINOP + 1));
      mutant.keep(*builder.CreateAtomicRMW(operation, pointer, mutant.value(type, *place), {}, order),
                  *place);
      break;
    }
    case 1: {
      llvm::Value* pair = builder.CreateAtomicCmpXchg(pointer, mutant.value(type, *place),
                                                      mutant.value(type, *place), {}, order, order);
      mutant.keep(*builder.CreateExtractValue(pair, {static_cast<unsigned>(mutant.random.below(2))}), *place);
      break;
    }
    case 2: {
      auto* load = builder.CreateLoad(type, pointer);
      load->setAtomic(order);
      load->setAlignment(llvm::Align(16));
      mutant.keep(*load, *place);
      break;
    }
    default: builder.CreateFence(order); break;
  }
}

void insert_element_address(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Value* pointer = mutant.pointer(*place);
  llvm::Value* address = nullptr;
  if (mutant.random.one_in(8)) {
    auto* vector = llvm::FixedVectorType::get(builder.getInt64Ty(), 2);
    address = builder.CreateGEP(builder.getInt8Ty(), pointer, mutant.constant(vector));
  } else if (mutant.random.one_in(6)) {
    address = builder.CreateGEP(builder.getInt8Ty(), pointer,
                                mutant.constant(llvm::Type::getInt128Ty(mutant.context)));
  } else {
    llvm::Type* element = mutant.random.one_in(5) ? mutant.odd_type() : mutant.integer_type();
    if (!element->isSized()) return;
    llvm::Value* index = mutant.random.one_in(2) ? mutant.constant(mutant.integer_type())
                                                 : mutant.value(builder.getInt64Ty(), *place);
    address = builder.CreateGEP(element, pointer, index);
  }
  if (address != pointer) mutant.keep(*address, *place);
}

void insert_memory_function(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Value* size = mutant.random.one_in(2) ? builder.getInt64(mutant.random.below(40))
                                              : mutant.value(builder.getInt64Ty(), *place);
  llvm::Value *to = mutant.pointer(*place), *from = mutant.pointer(*place);
  const bool is_volatile = mutant.random.one_in(4);
  switch (mutant.random.below(4)) {
    case 0: builder.CreateMemCpy(to, {}, from, {}, size, is_volatile); break;
    case 1: builder.CreateMemMove(to, {}, from, {}, size, is_volatile); break;
    case 2: builder.CreateMemSet(to, mutant.value(builder.getInt8Ty(), *place), size, {}, is_volatile); break;
    default:
      builder.CreateElementUnorderedAtomicMemCpy(to, llvm::Align(4), from, llvm::Align(4),
                                                 builder.getInt64(8), 4);
  }
}

void insert_local_variable(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Type* type = mutant.random.one_in(3) ? mutant.odd_type() : mutant.integer_type();
  if (mutant.random.one_in(6))
    type = llvm::ArrayType::get(builder.getInt8Ty(), std::uint64_t{1} << mutant.random.below(60));
  llvm::Value* count = nullptr;
  if (mutant.random.one_in(2)) count = mutant.value(mutant.integer_type(), *place);
  auto* variable = builder.CreateAlloca(type, count);
  if (llvm::Value* initial = mutant.value(mutant.integer_type(), *place))
    builder.CreateStore(initial, variable);
  mutant.keep(*variable, *place);
}

void insert_variable_argument(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  mutant.keep(*builder.CreateVAArg(mutant.pointer(*place), mutant.integer_type()), *place);
}

void insert_vector(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Value* scalar = mutant.number(*place);
  llvm::Value* vector = builder.CreateVectorSplat(4, scalar);
  if (scalar->getType()->isIntegerTy()) vector = builder.CreateAdd(vector, vector);
  if (mutant.random.one_in(2)) vector = builder.CreateShuffleVector(vector, {3, 1, -1, 0});
  mutant.keep(*builder.CreateExtractElement(vector, mutant.value(builder.getInt32Ty(), *place)), *place);
}

void insert_pointer_number(Mutant& mutant) {
  Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Value* number = builder.CreatePtrToInt(mutant.pointer(*place), mutant.integer_type());
  if (mutant.random.one_in(2)) number = builder.CreateIntToPtr(number, builder.getPtrTy());
  mutant.keep(*number, *place);
}

constexpr Mutation kInsertions[] = {
    {"insert arithmetic", insert_arithmetic, true},
    {"insert arithmetic", insert_arithmetic, true},
    {"insert wide arithmetic", insert_wide_arithmetic},
    {"insert a chain", insert_chain, true},
    {"insert floating point", insert_floating_point, true},
    {"insert a detour", insert_detour},
    {"insert a conversion", insert_conversion},
    {"insert an access", insert_access, true},
    {"insert an atomic operation", insert_atomic, true},
    {"insert an element's address", insert_element_address, true},
    {"insert a memory function", insert_memory_function, true},
    {"insert a local variable", insert_local_variable},
    {"insert va_arg", insert_variable_argument},
    {"insert vectors", insert_vector},
    {"insert a pointer's number", insert_pointer_number},
};

}  // namespace

std::span<const Mutation> insertions() { return kInsertions; }

}  // namespace weir::fuzz
