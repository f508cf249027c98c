#include "frontend/c/layout/uninitialised.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/c/stopping.hpp"

namespace weir::c {

namespace {

constexpr unsigned kMostFields = 16;               // of a structure that is marked field by field
constexpr std::uint64_t kLargestForgotten = 1024;  // bytes; a larger variable keeps its value in a loop

// Metadata of stores of marks.
constexpr const char* kStart = "weir.start";
constexpr const char* kDeclaration = "weir.declaration";
// Called with the address of a variable, of a type that has no marks, where its declaration is executed.
constexpr const char* kDeclared = "__weir_declared";

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
  Marker(llvm::Module& module, const Context* context) : module_(module), context_(context) {}

  void mark(llvm::Function& function, Origin origin) {
    std::vector<llvm::AllocaInst*> variables;
    for (llvm::Instruction& instruction : function.getEntryBlock())
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (variable->isStaticAlloca() && !variable->isArrayAllocation() && !variable->isSwiftError())
          variables.push_back(variable);
    for (llvm::AllocaInst* variable : variables) {
      poll(context_);
      if (origin == Origin::kCompiled) mark_declarations(*variable);
      if (can_be_marked(variable->getAllocatedType())) mark_start(*variable);
    }
  }

 private:
  // Clang says where a variable is declared before it says what it is initialised with, but for parameters.
  void mark_declarations(llvm::AllocaInst& variable) {
    for (llvm::DbgVariableRecord* record : llvm::findDVRDeclares(&variable)) {
      const llvm::DILocalVariable* declared = record->getVariable();
      if (declared->getArg() != 0 || record->getExpression()->getNumElements() != 0) continue;
      llvm::IRBuilder<> builder(record->getMarker()->MarkedInstr);
      builder.SetCurrentDebugLocation(record->getDebugLoc());
      if (can_be_marked(variable.getAllocatedType()))
        store_mark(builder, variable, declared->getName(), kDeclaration);
      else
        builder.CreateCall(module_.getOrInsertFunction(kDeclared, builder.getVoidTy(), builder.getPtrTy()),
                           &variable);
    }
  }

  void mark_start(llvm::AllocaInst& variable) {
    auto start = variable.getIterator();
    while (llvm::isa<llvm::AllocaInst>(*start)) ++start;
    llvm::IRBuilder<> builder(&*start);
    builder.SetCurrentDebugLocation({});
    store_mark(builder, variable, variable.getName(), kStart);
  }

  void store_mark(llvm::IRBuilder<>& builder, llvm::AllocaInst& variable, llvm::StringRef name,
                  const char* kind) {
    llvm::StoreInst* store =
        builder.CreateStore(marked_value(builder, variable.getAllocatedType(), name), &variable);
    store->setMetadata(kind, llvm::MDNode::get(module_.getContext(), {}));
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
  const Context* context_;
};

// Replaces the marks of one function that promotion has left.
class Resolver {
 public:
  Resolver(llvm::Function& function, llvm::DenseSet<const llvm::AllocaInst*>& privates)
      : function_(function), privates_(privates), dominators_(function), loops_(dominators_) {}

  void run() {
    std::vector<llvm::Instruction*> marks;
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (is_declaration(instruction) || instruction.hasMetadata(kStart)) marks.push_back(&instruction);
    for (llvm::Instruction* mark : marks) {
      if (is_declaration(*mark)) forget(*mark);
      mark->eraseFromParent();
    }
    drop_unused();
  }

 private:
  static bool is_declaration(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr) return instruction.hasMetadata(kDeclaration);
    return call->getCalledFunction() != nullptr && call->getCalledFunction()->getName() == kDeclared;
  }

  // Outside loops the declaration is reached once, and there is nothing to forget.
  void forget(llvm::Instruction& declaration) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(
        llvm::isa<llvm::StoreInst>(declaration) ? declaration.getOperand(1) : declaration.getOperand(0));
    if (variable == nullptr || !privates_.contains(variable)) return;
    if (loops_.getLoopFor(declaration.getParent()) == nullptr) return;
    const std::uint64_t size =
        function_.getDataLayout().getTypeAllocSize(variable->getAllocatedType()).getFixedValue();
    if (size > kLargestForgotten) return;
    llvm::IRBuilder<> builder(&declaration);
    llvm::AllocaInst* nothing = never_written(variable->getAllocatedType(), variable->getAlign());
    builder.CreateMemCpy(variable, variable->getAlign(), nothing, nothing->getAlign(), size);
  }

  llvm::AllocaInst* never_written(llvm::Type* type, llvm::Align alignment) {
    llvm::AllocaInst*& made = never_written_[type];
    if (made != nullptr) return made;
    made = new llvm::AllocaInst(type, function_.getDataLayout().getAllocaAddrSpace(), nullptr, alignment,
                                "never.written", function_.getEntryBlock().begin());
    made->setMetadata(kNeverWritten, llvm::MDNode::get(function_.getContext(), {}));
    privates_.insert(made);
    return made;
  }

  // Backwards, so that a structure goes before its parts.
  void drop_unused() {
    for (llvm::BasicBlock& block : function_)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block)))
        if (instruction.use_empty() &&
            (is_mark(&instruction) || llvm::isa<llvm::InsertValueInst>(instruction)))
          instruction.eraseFromParent();
  }

  llvm::Function& function_;
  llvm::DenseSet<const llvm::AllocaInst*>& privates_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::DenseMap<llvm::Type*, llvm::AllocaInst*> never_written_;
};

}  // namespace

bool stores_mark(const llvm::Instruction& instruction) {
  return instruction.hasMetadata(kStart) || instruction.hasMetadata(kDeclaration);
}

void mark_uninitialised(llvm::Module& module, Origin origin, const Context* context) {
  Marker marker(module, context);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) marker.mark(function, origin);
}

void resolve_marks(llvm::Module& module, llvm::DenseSet<const llvm::AllocaInst*>& privates) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) Resolver(function, privates).run();
}

}  // namespace weir::c
