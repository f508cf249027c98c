// Changes of what stands outside functions: variables and their initial values, linkage, aliases, functions
// without bodies, debug information, the module's target.
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/GlobalIFunc.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "fuzz/c_fuzz_mutation.hpp"

namespace weir::fuzz {

namespace {

llvm::GlobalVariable* any_variable(Mutant& mutant) {
  std::vector<llvm::GlobalVariable*> found;
  for (llvm::GlobalVariable& variable : mutant.module.globals())
    if (!variable.getName().starts_with("llvm.")) found.push_back(&variable);
  return found.empty() ? nullptr : mutant.random.any(found);
}

// Of the same type, with addresses, undefined parts and expressions among its scalars.
llvm::Constant* initial_value(Mutant& mutant, llvm::Type* type, unsigned depth) {
  if (depth > 3 || (type->isArrayTy() && type->getArrayNumElements() > 64)) return mutant.constant(type);
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type);
      structure != nullptr && !structure->isOpaque()) {
    std::vector<llvm::Constant*> parts;
    for (llvm::Type* part : structure->elements()) parts.push_back(initial_value(mutant, part, depth + 1));
    return llvm::ConstantStruct::get(structure, parts);
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    std::vector<llvm::Constant*> parts;
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      parts.push_back(initial_value(mutant, array->getElementType(), depth + 1));
    return llvm::ConstantArray::get(array, parts);
  }
  llvm::GlobalVariable* other = any_variable(mutant);
  if (other == nullptr || mutant.random.one_in(2)) return mutant.constant(type);
  auto* i64 = llvm::Type::getInt64Ty(mutant.context);
  if (type == other->getType())
    return llvm::ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(mutant.context), other,
                                                llvm::ConstantInt::get(i64, mutant.random.below(12)));
  if (type->isIntegerTy()) {
    llvm::Constant* number = llvm::ConstantExpr::getPtrToInt(other, type);
    return mutant.random.one_in(2) ? llvm::ConstantExpr::getAdd(number, mutant.constant(type)) : number;
  }
  return mutant.constant(type);
}

void change_initial_value(Mutant& mutant) {
  llvm::GlobalVariable* variable = any_variable(mutant);
  if (variable == nullptr) return;
  if (!mutant.defined && mutant.random.one_in(8)) return variable->setInitializer(nullptr);
  variable->setInitializer(initial_value(mutant, variable->getValueType(), 0));
}

void change_variable(Mutant& mutant) {
  llvm::GlobalVariable* variable = any_variable(mutant);
  if (variable == nullptr) return;
  switch (mutant.random.below(7)) {
    case 0: variable->setConstant(!variable->isConstant()); break;
    case 1:
      variable->setThreadLocalMode(static_cast<llvm::GlobalValue::ThreadLocalMode>(mutant.random.below(5)));
      break;
    case 2: variable->setExternallyInitialized(true); break;
    case 3: variable->setSection("fuzz,\"aw\""); break;
    case 4: variable->setAlignment(llvm::Align(std::uint64_t{1} << mutant.random.below(33))); break;
    case 5: variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global); break;
    default:
      variable->setLinkage(static_cast<llvm::GlobalValue::LinkageTypes>(mutant.random.below(11)));
      break;
  }
}

void add_variable(Mutant& mutant) {
  llvm::Type* type = mutant.odd_type();
  if (mutant.random.one_in(2))
    type = llvm::ArrayType::get(mutant.integer_type(), std::uint64_t{1} << mutant.random.below(62));
  if (mutant.random.one_in(6))
    type = llvm::StructType::create({mutant.integer_type(), mutant.odd_type(), type}, "union.odd");
  if (!type->isSized() || llvm::isa<llvm::ScalableVectorType>(type)) return;
  auto* variable = new llvm::GlobalVariable(
      mutant.module, type, mutant.random.one_in(3), llvm::GlobalValue::InternalLinkage,
      initial_value(mutant, type, 0), "fuzz.variable", nullptr, llvm::GlobalValue::NotThreadLocal,
      static_cast<unsigned>(mutant.random.one_in(6) ? 1 + mutant.random.below(3) : 0));
  llvm::Instruction* place = mutant.place();
  if (place == nullptr) return;
  llvm::IRBuilder<> builder(place);
  llvm::Type* read = mutant.random.one_in(2) ? type : mutant.integer_type();
  if (read->isAggregateType() && !mutant.random.one_in(8)) read = builder.getInt8Ty();
  mutant.keep(*builder.CreateAlignedLoad(read, variable, llvm::Align(1)), *place);
}

// A variable that holds its own address.
void tie_knot(Mutant& mutant) {
  llvm::GlobalVariable* variable = mutant.variable(llvm::PointerType::getUnqual(mutant.context));
  if (variable->hasInitializer()) variable->setInitializer(variable);
}

void replace_uses_by_alias(Mutant& mutant) {
  std::vector<llvm::GlobalObject*> objects;
  for (llvm::GlobalObject& object : mutant.module.global_objects())
    if (!object.isDeclaration() && !object.getName().starts_with("llvm.")) objects.push_back(&object);
  if (objects.empty()) return;
  llvm::GlobalObject* object = mutant.random.any(objects);
  llvm::GlobalValue* other = nullptr;
  if (llvm::isa<llvm::Function>(object) && mutant.random.one_in(3)) {
    auto* pointer = llvm::PointerType::getUnqual(mutant.context);
    auto* type = llvm::FunctionType::get(pointer, false);
    auto* resolver =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "resolver", mutant.module);
    llvm::IRBuilder<>(llvm::BasicBlock::Create(mutant.context, "", resolver)).CreateRet(object);
    other = llvm::GlobalIFunc::create(object->getValueType(), 0, llvm::GlobalValue::ExternalLinkage, "chosen",
                                      resolver, &mutant.module);
  } else {
    other = llvm::GlobalAlias::create(
        object->getValueType(), object->getAddressSpace(),
        mutant.random.one_in(2) ? llvm::GlobalValue::InternalLinkage : llvm::GlobalValue::WeakAnyLinkage,
        "other", object, &mutant.module);
  }
  for (llvm::Function& function : mutant.module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (function.getName() != "resolver") instruction.replaceUsesOfWith(object, other);
}

void drop_body(Mutant& mutant) {
  if (llvm::Function* function = mutant.function()) function->deleteBody();
}

void change_function(Mutant& mutant) {
  llvm::Function* function = mutant.function();
  if (function == nullptr) return;
  switch (mutant.random.below(8)) {
    case 0: function->addFnAttr(llvm::Attribute::Naked); break;
    case 1: function->addFnAttr(llvm::Attribute::NoReturn); break;
    case 2: function->setCallingConv(llvm::CallingConv::Fast); break;
    case 3: function->setGC("shadow-stack"); break;
    case 4:
      function->setLinkage(static_cast<llvm::GlobalValue::LinkageTypes>(mutant.random.below(11)));
      break;
    case 5: function->setPrefixData(mutant.constant(mutant.integer_type())); break;
    case 6: function->addFnAttr("target-features", "+avx512f"); break;
    default:
      for (llvm::Argument& parameter : function->args())
        if (parameter.getType()->isPointerTy())
          parameter.addAttr(llvm::Attribute::get(
              mutant.context, mutant.random.one_in(2) ? llvm::Attribute::ByVal : llvm::Attribute::StructRet,
              mutant.integer_type()));
  }
}

void rename(Mutant& mutant) {
  llvm::Function* function = mutant.function();
  constexpr const char* kNames[] = {"main",
                                    "other",
                                    "malloc",
                                    "pthread_create",
                                    "__weir_call_main",
                                    "exit",
                                    "__assert_fail",
                                    "printf",
                                    "__weir_program_main",
                                    "memcpy",
                                    "strlen",
                                    "__weir_spawn",
                                    "__weir_uninitialised.i32",
                                    "__weir_thread_main"};
  if (function != nullptr && mutant.random.one_in(3)) function->setName(mutant.random.any(kNames));
}

void strip_debug_information(Mutant& mutant) {
  if (mutant.random.one_in(2)) {
    llvm::StripDebugInfo(mutant.module);
  } else if (llvm::Function* function = mutant.function()) {
    function->setSubprogram(nullptr);
    for (llvm::Instruction& instruction : llvm::instructions(*function)) instruction.setDebugLoc({});
  }
}

void drop_positions(Mutant& mutant) {
  if (llvm::Function* function = mutant.function())
    for (llvm::Instruction& instruction : llvm::instructions(*function))
      if (mutant.random.one_in(2)) instruction.setDebugLoc({});
}

void change_module(Mutant& mutant) {
  if (!mutant.random.one_in(4)) return;
  switch (mutant.random.below(4)) {
    case 0: mutant.module.setModuleInlineAsm(mutant.random.one_in(2) ? ".globl f" : "f: ret"); break;
    case 1: mutant.module.setTargetTriple(mutant.random.one_in(2) ? "" : "aarch64-unknown-linux-gnu"); break;
    case 2: mutant.module.setDataLayout(mutant.random.one_in(2) ? "" : "e-p:32:32"); break;
    default: mutant.module.setTargetTriple("nothing"); break;
  }
}

void add_constructor(Mutant& mutant) {
  llvm::Function* function = mutant.function();
  if (function == nullptr) return;
  if (mutant.random.one_in(2))
    llvm::appendToGlobalCtors(mutant.module, function, static_cast<int>(mutant.random.below(9)));
  else
    llvm::appendToGlobalDtors(mutant.module, function, static_cast<int>(mutant.random.below(9)));
}

constexpr Mutation kGlobals[] = {
    {"change an initial value", change_initial_value, true},
    {"change a variable", change_variable},
    {"add a variable", add_variable},
    {"tie a knot", tie_knot},
    {"use an alias", replace_uses_by_alias},
    {"drop a body", drop_body},
    {"change a function", change_function},
    {"rename a function", rename},
    {"strip debug information", strip_debug_information},
    {"drop positions", drop_positions},
    {"change the module", change_module},
    {"add a constructor", add_constructor},
};

}  // namespace

std::span<const Mutation> global_mutations() { return kGlobals; }

}  // namespace weir::fuzz
