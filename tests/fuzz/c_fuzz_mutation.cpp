#include "fuzz/c_fuzz_mutation.hpp"

#include <algorithm>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

namespace weir::fuzz {

llvm::Function* Mutant::function() {
  std::vector<llvm::Function*> bodies;
  for (llvm::Function& candidate : module)
    if (!candidate.isDeclaration()) bodies.push_back(&candidate);
  return bodies.empty() ? nullptr : random.any(bodies);
}

llvm::Instruction* Mutant::instruction(Test wanted) {
  std::vector<llvm::Instruction*> found;
  for (llvm::Function& body : module)
    for (llvm::Instruction& candidate : llvm::instructions(body))
      if (wanted(candidate)) found.push_back(&candidate);
  return found.empty() ? nullptr : random.any(found);
}

llvm::Instruction* Mutant::place() {
  return instruction([](const llvm::Instruction& i) {
    return !llvm::isa<llvm::PHINode>(i) && !i.isEHPad() && !llvm::isa<llvm::AllocaInst>(i);
  });
}

llvm::Type* Mutant::integer_type() {
  constexpr unsigned kWidths[] = {1, 2, 7, 8, 13, 16, 24, 31, 32, 33, 48, 63, 64};
  return llvm::Type::getIntNTy(context, random.any(kWidths));
}

llvm::Type* Mutant::odd_type() {
  llvm::Type* i32 = llvm::Type::getInt32Ty(context);
  switch (random.below(17)) {
    case 0: return llvm::Type::getInt128Ty(context);
    case 1: return llvm::Type::getIntNTy(context, 65);
    case 2: return llvm::Type::getIntNTy(context, 4096);
    case 3: return llvm::Type::getHalfTy(context);
    case 4: return llvm::Type::getBFloatTy(context);
    case 5: return llvm::Type::getX86_FP80Ty(context);
    case 6: return llvm::Type::getFP128Ty(context);
    case 7: return llvm::FixedVectorType::get(i32, 4);
    case 8: return llvm::FixedVectorType::get(llvm::Type::getFloatTy(context), 2);
    case 9: return llvm::FixedVectorType::get(llvm::PointerType::getUnqual(context), 2);
    case 10: return llvm::FixedVectorType::get(llvm::Type::getInt1Ty(context), 9);
    case 11: return llvm::PointerType::get(context, 1);
    case 12: return llvm::StructType::get(context, {i32, llvm::Type::getInt8Ty(context)}, true);
    case 13: return llvm::StructType::get(context);
    case 14: return llvm::ArrayType::get(llvm::Type::getIntNTy(context, 24), random.below(4));
    case 15: return llvm::ScalableVectorType::get(i32, 4);
    default: return llvm::Type::getX86_MMXTy(context);
  }
}

llvm::Constant* Mutant::constant(llvm::Type* type) {
  if (!defined && random.one_in(12)) return llvm::UndefValue::get(type);
  if (!defined && random.one_in(16)) return llvm::PoisonValue::get(type);
  if (type->isIntegerTy()) {
    const unsigned bits = type->getIntegerBitWidth();
    switch (random.below(6)) {
      case 0: return llvm::ConstantInt::get(type, 0);
      case 1: return llvm::ConstantInt::get(type, 1);
      case 2: return llvm::ConstantInt::getAllOnesValue(type);
      case 3: return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
      case 4: return llvm::ConstantInt::get(type, random.below(70));
      default: return llvm::ConstantInt::get(type, random.bits());
    }
  }
  if (type->isFloatingPointTy()) {
    constexpr double kNumbers[] = {0.0, -0.0, 1.0, -2.5, 1e300, 4294967296.0, 0.1};
    return random.one_in(8) ? llvm::ConstantFP::getNaN(type)
                            : llvm::ConstantFP::get(type, random.any(kNumbers));
  }
  return llvm::Constant::getNullValue(type);
}

llvm::Value* Mutant::value(llvm::Type* type, llvm::Instruction& before) {
  if (type->isVoidTy() || type->isLabelTy() || type->isMetadataTy() || type->isTokenTy()) return nullptr;
  llvm::Function& body = *before.getFunction();
  const llvm::DominatorTree dominators(body);
  std::vector<llvm::Value*> found;
  for (llvm::Instruction& candidate : llvm::instructions(body))
    if (candidate.getType() == type && dominators.dominates(&candidate, &before)) found.push_back(&candidate);
  for (llvm::Argument& parameter : body.args())
    if (parameter.getType() == type) found.push_back(&parameter);
  if (type->isPointerTy())
    for (llvm::GlobalValue& global : module.global_values())
      if (global.getType() == type && !global.getName().starts_with("llvm.")) found.push_back(&global);
  if (found.empty() || random.one_in(5)) return constant(type);
  return random.any(found);
}

llvm::Value* Mutant::number(llvm::Instruction& before) {
  std::vector<llvm::Value*> found;
  const llvm::DominatorTree dominators(*before.getFunction());
  for (llvm::Instruction& candidate : llvm::instructions(*before.getFunction())) {
    const llvm::Type* type = candidate.getType();
    const bool fits = type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy();
    if (fits && dominators.dominates(&candidate, &before)) found.push_back(&candidate);
  }
  return found.empty() ? constant(llvm::Type::getInt32Ty(context)) : random.any(found);
}

bool Mutant::replaces_an_operand(llvm::Value& kept, llvm::Instruction& before) {
  std::vector<llvm::Use*> uses;
  for (llvm::Instruction* user = &before; user != nullptr; user = user->getNextNode())
    for (llvm::Use& use : user->operands())
      if (use->getType() == kept.getType() && !llvm::isa<llvm::PHINode>(user)) uses.push_back(&use);
  if (uses.empty()) return false;
  random.any(uses)->set(&kept);
  return true;
}

llvm::GlobalVariable* Mutant::variable(llvm::Type* type) {
  for (llvm::GlobalVariable& old : module.globals())
    if (old.getValueType() == type && random.one_in(2)) return &old;
  return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage,
                                  llvm::Constant::getNullValue(type), "fuzz.variable");
}

void Mutant::store_to_sink(llvm::Value& kept, llvm::Instruction& before) {
  if (llvm::isa<llvm::ScalableVectorType>(kept.getType())) return;
  auto* store = new llvm::StoreInst(&kept, variable(kept.getType()), &before);
  store->setVolatile(random.one_in(2));
}

void Mutant::keep(llvm::Value& kept, llvm::Instruction& before) {
  if (kept.getType()->isVoidTy() || kept.getType()->isTokenTy()) return;
  if (random.one_in(2) && replaces_an_operand(kept, before)) return;
  if (!kept.getType()->isIntegerTy() || random.one_in(3)) return store_to_sink(kept, before);
  llvm::IRBuilder<> builder(&before);
  llvm::Value* narrow = builder.CreateIntCast(&kept, builder.getInt32Ty(), random.one_in(2));
  llvm::Value* other = value(builder.getInt32Ty(), before);
  llvm::Value* mixed = builder.CreateXor(narrow, other);
  if (!replaces_an_operand(*mixed, before)) store_to_sink(*mixed, before);
}

std::string mutate(llvm::Module& module, Random& random, bool only_defined) {
  const std::span<const Mutation> tables[] = {
      instruction_mutations(), instruction_mutations(), insertions(),      insertions(),
      call_mutations(),        flow_mutations(),        global_mutations()};
  Mutant mutant(module, random, only_defined);
  std::string names;
  for (std::size_t changes = 1 + random.below(5); changes > 0;) {
    const Mutation& chosen = random.any(random.any(tables));
    if (only_defined && !chosen.defined) continue;
    chosen.apply(mutant);
    names += (names.empty() ? "" : ", ") + std::string(chosen.name);
    --changes;
  }
  return names;
}

}  // namespace weir::fuzz
