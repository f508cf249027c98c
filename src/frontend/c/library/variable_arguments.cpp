// clang makes loads of va_arg: of the memory where the calling convention puts the arguments. The copy of the function puts them
// into a structure of its own. On x86-64, where the first arguments are in registers, va_start says that all of these are used
// up, so that every argument is looked for there; the two ways differ in nothing that a program could see.
#include "frontend/c/library/variable_arguments.hpp"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <vector>

namespace weir::c {

namespace {

// Of the registers that hold arguments; a va_list with such offsets has none left.
constexpr unsigned kNumbersEnd = 48, kFloatsEnd = 176;

bool uses_variable_arguments(const llvm::Function& function) {
  return function.isVarArg() && !function.isDeclaration() &&
         llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
           return llvm::isa<llvm::VAStartInst>(instruction);
         });
}

// The rest of the arguments of a call in memory: numbers and pointers, in slots of a word, and what is passed as a copy.
class ArgumentMemory {
 public:
  explicit ArgumentMemory(const llvm::Module& module)
      : data_(module.getDataLayout()), word_(data_.getPointerSize()) {}

  // False if the argument is of a kind that is passed in another way.
  bool add(const llvm::CallBase& call, unsigned argument) {
    llvm::Type* type = call.getArgOperand(argument)->getType();
    if (call.isByValArgument(argument)) {
      type = call.getParamByValType(argument);
      if (call.getParamAlign(argument).valueOrOne().value() > word_) return false;
    } else if (!type->isPointerTy() && !type->isDoubleTy() &&
               !(type->isIntegerTy() && type->getIntegerBitWidth() <= 64)) {
      return false;
    }
    numbers_.push_back(static_cast<unsigned>(members_.size()));
    members_.push_back(type);
    const std::uint64_t size = data_.getTypeAllocSize(type), gap = llvm::alignTo(size, word_) - size;
    if (gap > 0) members_.push_back(llvm::ArrayType::get(llvm::Type::getInt8Ty(type->getContext()), gap));
    return true;
  }

  llvm::StructType* type(llvm::LLVMContext& context) const {
    constexpr bool kPacked = true;
    return llvm::StructType::get(context, members_, kPacked);
  }
  // Of the member that holds the argument with that number.
  unsigned member(std::size_t number) const { return numbers_[number]; }

 private:
  const llvm::DataLayout& data_;
  std::uint64_t word_;
  std::vector<llvm::Type*> members_;
  std::vector<unsigned> numbers_;
};

class NamedArguments {
 public:
  explicit NamedArguments(llvm::CallBase& call)
      : call_(call),
        module_(*call.getModule()),
        callee_(*call.getCalledFunction()),
        fixed_(callee_.getFunctionType()->getNumParams()),
        memory_(module_) {}

  bool possible() {
    for (unsigned i = fixed_; i < call_.arg_size(); ++i)
      if (!memory_.add(call_, i)) return false;
    return true;
  }

  void run() {
    llvm::Function& copy = copied();
    fill(copy);
    redirect(copy);
  }

 private:
  llvm::Function& copied() {
    std::vector<llvm::Type*> types;
    for (const llvm::Use& argument : call_.args()) types.push_back(argument->getType());
    auto* type = llvm::FunctionType::get(callee_.getReturnType(), types, false);
    auto* copy = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, callee_.getName(), module_);
    llvm::ValueToValueMapTy values;
    for (unsigned i = 0; i < fixed_; ++i) {
      values[callee_.getArg(i)] = copy->getArg(i);
      copy->getArg(i)->setName(callee_.getArg(i)->getName());
    }
    llvm::SmallVector<llvm::ReturnInst*, 4> returns;
    llvm::CloneFunctionInto(copy, &callee_, values, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
    copy->setLinkage(llvm::GlobalValue::InternalLinkage);
    copy->setComdat(nullptr);
    copy->setAttributes(call_arguments_attributes());
    return *copy;
  }

  // Those that say how arguments are passed.
  llvm::AttributeList call_arguments_attributes() const {
    llvm::AttributeList result = callee_.getAttributes();
    for (unsigned i = fixed_; i < call_.arg_size(); ++i)
      if (call_.isByValArgument(i))
        result = result.addParamAttribute(
            module_.getContext(), i,
            llvm::Attribute::getWithByValType(module_.getContext(), call_.getParamByValType(i)));
    return result;
  }

  void fill(llvm::Function& copy) {
    llvm::IRBuilder<> entry(&copy.getEntryBlock(), copy.getEntryBlock().getFirstInsertionPt());
    auto* type = memory_.type(module_.getContext());
    auto* memory = entry.CreateAlloca(type, nullptr, "arguments");
    memory->setAlignment(llvm::Align(16));
    entry.SetInsertPoint(&*copy.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    for (unsigned i = fixed_; i < copy.arg_size(); ++i) {
      llvm::Value* slot = entry.CreateStructGEP(type, memory, memory_.member(i - fixed_));
      llvm::Argument* argument = copy.getArg(i);
      if (!argument->hasByValAttr()) {
        entry.CreateAlignedStore(argument, slot, llvm::Align(4));
        continue;
      }
      const std::uint64_t size = module_.getDataLayout().getTypeAllocSize(argument->getParamByValType());
      entry.CreateMemCpy(slot, llvm::Align(4), argument, llvm::Align(4), size);
    }
    std::vector<llvm::IntrinsicInst*> uses;
    for (llvm::Instruction& instruction : llvm::instructions(copy))
      if (auto* start = llvm::dyn_cast<llvm::VAStartInst>(&instruction)) uses.push_back(start);
    for (llvm::IntrinsicInst* start : uses) {
      begin_list(*start, *memory);
      start->eraseFromParent();
    }
  }

  void begin_list(llvm::IntrinsicInst& start, llvm::Value& memory) {
    llvm::IRBuilder<> build(&start);
    llvm::Value* list = start.getArgOperand(0);
    if (llvm::Triple(module_.getTargetTriple()).getArch() == llvm::Triple::x86) {
      build.CreateStore(&memory, list);
      return;
    }
    auto* type =
        llvm::StructType::get(build.getInt32Ty(), build.getInt32Ty(), build.getPtrTy(), build.getPtrTy());
    build.CreateStore(build.getInt32(kNumbersEnd), build.CreateStructGEP(type, list, 0));
    build.CreateStore(build.getInt32(kFloatsEnd), build.CreateStructGEP(type, list, 1));
    build.CreateStore(&memory, build.CreateStructGEP(type, list, 2));
    build.CreateStore(llvm::ConstantPointerNull::get(build.getPtrTy()), build.CreateStructGEP(type, list, 3));
  }

  void redirect(llvm::Function& copy) { call_.setCalledFunction(&copy); }

  llvm::CallBase& call_;
  llvm::Module& module_;
  llvm::Function& callee_;
  unsigned fixed_;
  ArgumentMemory memory_;
};

// Lists are copied member by member, and their end means nothing.
void simplify_list_calls(llvm::Module& module) {
  const bool is_pointer = llvm::Triple(module.getTargetTriple()).getArch() == llvm::Triple::x86;
  llvm::LLVMContext& context = module.getContext();
  llvm::Type *number = llvm::Type::getInt32Ty(context), *pointer = llvm::PointerType::getUnqual(context);
  const auto type =
      is_pointer ? llvm::StructType::get(pointer) : llvm::StructType::get(number, number, pointer, pointer);
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (auto* copy = llvm::dyn_cast<llvm::VACopyInst>(&instruction)) {
        llvm::IRBuilder<> build(copy);
        for (unsigned i = 0; i < type->getNumElements(); ++i) {
          llvm::Value* member = build.CreateLoad(type->getElementType(i),
                                                 build.CreateStructGEP(type, copy->getArgOperand(1), i));
          build.CreateStore(member, build.CreateStructGEP(type, copy->getArgOperand(0), i));
        }
        copy->eraseFromParent();
      } else if (llvm::isa<llvm::VAEndInst>(instruction)) {
        instruction.eraseFromParent();
      }
    }
}

}  // namespace

void name_variable_arguments(llvm::Module& module) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : module) {
    if (!uses_variable_arguments(function)) continue;
    for (llvm::Use& use : function.uses())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
          call != nullptr && call->isCallee(&use) && call->getCalledFunction() == &function)
        calls.push_back(call);
  }
  for (llvm::CallBase* call : calls)
    if (NamedArguments named(*call); named.possible()) named.run();
  simplify_list_calls(module);
}

}  // namespace weir::c
