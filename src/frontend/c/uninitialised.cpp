#include "frontend/c/uninitialised.hpp"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/raw_ostream.h>

namespace weir::c {

namespace {

constexpr unsigned kMostFields = 16;  // of a structure that is marked field by field

bool is_mark(const llvm::Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName().starts_with(kUninitialisedPrefix);
}

bool is_scalar(const llvm::Type* type) {
  return type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy();
}

bool can_be_marked(llvm::Type* type) {
  if (is_scalar(type)) return true;
  const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure != nullptr && structure->getNumElements() <= kMostFields &&
         llvm::all_of(structure->elements(), is_scalar);
}

class Marker {
 public:
  explicit Marker(llvm::Module& module) : module_(module) {}

  void mark(llvm::Function& function, Declarations declarations) {
    std::vector<llvm::AllocaInst*> variables;
    for (llvm::Instruction& instruction : function.getEntryBlock())
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (variable->isStaticAlloca() && !variable->isArrayAllocation() && !variable->isSwiftError() &&
            can_be_marked(variable->getAllocatedType()))
          variables.push_back(variable);
    for (llvm::AllocaInst* variable : variables) {
      if (declarations == Declarations::kKnown) mark_declarations(*variable);
      auto start = variable->getIterator();
      while (llvm::isa<llvm::AllocaInst>(*start)) ++start;
      store_mark(*variable, &*start, variable->getName(), {});
    }
  }

 private:
  // Clang says where a variable is declared before it says what it is initialised with, but for parameters.
  void mark_declarations(llvm::AllocaInst& variable) {
    for (llvm::DbgVariableRecord* record : llvm::findDVRDeclares(&variable)) {
      const llvm::DILocalVariable* declared = record->getVariable();
      if (declared->getArg() != 0 || record->getExpression()->getNumElements() != 0) continue;
      store_mark(variable, record->getMarker()->MarkedInstr, declared->getName(), record->getDebugLoc());
    }
  }

  void store_mark(llvm::AllocaInst& variable, llvm::Instruction* before, llvm::StringRef name,
                  const llvm::DebugLoc& location) {
    llvm::IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(location);
    builder.CreateStore(marked_value(builder, variable.getAllocatedType(), name), &variable);
  }

  llvm::Value* marked_value(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::StringRef name) {
    if (is_scalar(type)) return scalar_mark(builder, type, name);
    llvm::Value* value = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < type->getStructNumElements(); ++i)
      value = builder.CreateInsertValue(value, scalar_mark(builder, type->getStructElementType(i), name), i);
    return value;
  }

  llvm::Value* scalar_mark(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::StringRef name) {
    std::string callee = kUninitialisedPrefix;
    llvm::raw_string_ostream(callee) << *type;
    llvm::CallInst* call = builder.CreateCall(module_.getOrInsertFunction(callee, type));
    llvm::LLVMContext& context = module_.getContext();
    call->setMetadata("weir.variable", llvm::MDNode::get(context, llvm::MDString::get(context, name)));
    return call;
  }

  llvm::Module& module_;
};

// A mark in memory, or in a structure that goes to memory.
bool holds_mark(const llvm::Value* value) {
  while (const auto* insertion = llvm::dyn_cast<llvm::InsertValueInst>(value)) {
    if (is_mark(insertion->getInsertedValueOperand())) return true;
    value = insertion->getAggregateOperand();
  }
  return is_mark(value);
}

}  // namespace

void mark_uninitialised(llvm::Module& module, Declarations declarations) {
  Marker marker(module);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) marker.mark(function, declarations);
}

void drop_unused_marks(llvm::Module& module) {
  std::vector<llvm::Instruction*> unused;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store != nullptr && llvm::isa<llvm::AllocaInst>(store->getPointerOperand()) &&
          holds_mark(store->getValueOperand()))
        unused.push_back(&instruction);
    }
  for (llvm::Instruction* store : unused) store->eraseFromParent();
  // Backwards, so that a structure goes before its parts.
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block)))
        if (instruction.use_empty() &&
            (is_mark(&instruction) ||
             (llvm::isa<llvm::InsertValueInst>(instruction) && holds_mark(&instruction))))
          instruction.eraseFromParent();
}

}  // namespace weir::c
