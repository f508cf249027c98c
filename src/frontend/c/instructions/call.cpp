#include "frontend/c/instructions/call.hpp"

#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/c/instructions/external.hpp"
#include "frontend/c/instructions/inline_assembly.hpp"
#include "frontend/c/instructions/intrinsics.hpp"
#include "frontend/c/instructions/primitives.hpp"
#include "frontend/c/lowering/function.hpp"
#include "frontend/c/names.hpp"

namespace weir::c {

namespace {

class Calling {
 public:
  Calling(FunctionLowering& lowering, const llvm::CallBase& call)
      : lowering_(lowering), emitter_(lowering.emitter), build_(lowering.build), call_(call) {}

  void directly(const llvm::Function& callee) {
    const std::string mismatch = why_not(callee);
    if (!mismatch.empty())
      return lowering_.unsupported(call_, fmt::format("`{}` is called {}", name_of(callee), mismatch));
    prepare_arguments();
    prepare_result();
    call(callee);
    take_result();
  }

  // Compares the pointer with the address of every function that it could be.
  void through_pointer() {
    const ExprId target = emitter_.in_register(lowering_.use(*call_.getCalledOperand()));
    prepare_arguments();
    prepare_result();
    const NodeId start = emitter_.here(), after = emitter_.new_node();
    std::vector<Value> addresses;
    for (const llvm::Function* function : lowering_.module.address_taken()) {
      addresses.push_back(lowering_.module.globals.address_of(*function));
      const ExprId hit = build_.compare(ExprOp::kEq, target, build_.constant(addresses.back(), kAddress));
      const NodeId node = emitter_.new_node();
      emitter_.continue_at(start);
      emitter_.emit({.op = Opcode::kAssume, .a = hit}, node);
      emitter_.continue_at(node);
      candidate(*function);
      emitter_.jump(after);
    }
    emitter_.continue_at(start);
    emitter_.assume(build_.negation(lowering_.any_of(target, addresses)));
    const ExprId is_null = build_.compare(ExprOp::kEq, target, build_.address(0));
    emitter_.when(is_null, [&] { emitter_.fail("calls a function through a null pointer"); });
    emitter_.fail("calls through a pointer that points to no function");
    emitter_.continue_at(after);
    take_result();
  }

 private:
  void candidate(const llvm::Function& function) {
    if (function.isDeclaration())
      return emitter_.give_up(
          fmt::format("`{}`, which no file defines, is called through a pointer", name_of(function)));
    const std::string mismatch = why_not(function);
    if (!mismatch.empty())
      return emitter_.fail(fmt::format("`{}` is called through a pointer {}", name_of(function), mismatch));
    call(function);
  }

  // Arguments beyond the parameters are ignored, as every calling convention does.
  std::string why_not(const llvm::Function& callee) const {
    if (callee.arg_size() > call_.arg_size()) return "with too few arguments";
    for (unsigned i = 0; i < callee.arg_size(); ++i)
      if (!alike(callee.getArg(i)->getType(), call_.getArgOperand(i)->getType()))
        return "with an argument of another type";
    llvm::Type* wanted = call_.getType();
    const bool needs_result = !wanted->isVoidTy() && lowering_.plan.used(call_);
    if (needs_result && !callee.getReturnType()->isVoidTy() && !alike(callee.getReturnType(), wanted))
      return "as if it had a result of another type";
    return "";
  }

  // The same in registers: integers and pointers may be mixed, as programs do that cast functions.
  bool alike(llvm::Type* a, llvm::Type* b) const {
    if (a == b) return true;
    const auto fits = [](llvm::Type* type) { return scalar_type(type) && !type->isFloatingPointTy(); };
    return fits(a) && fits(b);
  }

  void prepare_arguments() {
    for (const llvm::Use& argument : call_.args()) {
      const bool undefined = llvm::isa<llvm::UndefValue>(argument.get());
      Scalars scalars = undefined ? lowering_.value(*argument) : lowering_.use_all(*argument);
      if (!call_.getCalledFunction())
        for (ExprId& scalar : scalars) scalar = emitter_.in_register(scalar);
      arguments_.push_back(std::move(scalars));
    }
  }

  // One scalar comes back in a register, several through private memory.
  void prepare_result() {
    if (call_.getType()->isVoidTy()) return;
    const auto parts = lowering_.leaves(call_.getType());
    if (!parts) return lowering_.unsupported(call_, "a function with a result of this type is not supported");
    results_ = *parts;
    if (results_.size() > 1) {
      buffer_ = buffer(call_.getType());
    } else if (results_.size() == 1 && lowering_.plan.used(call_)) {
      result_ = emitter_.fresh(*scalar_type(results_.front().type));
    }
  }

  ExprId buffer(llvm::Type* type) {
    return build_.frame(lowering_.reserve("result", lowering_.data().getTypeAllocSize(type), 8));
  }

  void call(const llvm::Function& callee) {
    Instruction instruction{.op = Opcode::kCall, .result = result_};
    instruction.callee = lowering_.module.function(callee, lowering_.inside_block());
    for (unsigned i = 0; i < callee.arg_size(); ++i) {
      const auto parameters = lowering_.leaves(callee.getArg(i)->getType());
      for (std::size_t k = 0; parameters && k < parameters->size() && k < arguments_[i].size(); ++k)
        instruction.arguments.push_back(
            lowering_.as_if_of_type(arguments_[i][k], *given_type(i, k), *(*parameters)[k].type));
    }
    const auto returned = lowering_.leaves(callee.getReturnType());
    if (returned && returned->size() > 1)
      instruction.arguments.push_back(buffer_ ? *buffer_ : buffer(callee.getReturnType()));
    if (callee.getReturnType()->isVoidTy()) instruction.result = RegisterId();
    if (result_ && mixes_pointers(callee)) {
      instruction.result = emitter_.fresh(*scalar_type(callee.getReturnType()));
      const ExprId given = emitter_.value_of(instruction.result);
      emitter_.emit(std::move(instruction));
      return emitter_.assign(result_,
                             lowering_.as_if_of_type(given, *callee.getReturnType(), *call_.getType()));
    }
    emitter_.emit(std::move(instruction));
    // What a function without a result seems to give is nobody's value.
    if (result_ && callee.getReturnType()->isVoidTy())
      emitter_.assign(result_, build_.constant(0, emitter_.graph.registers[result_.index()].type));
  }

  // The type of a scalar of an argument, as the caller sees it.
  llvm::Type* given_type(unsigned argument, std::size_t scalar) const {
    llvm::Type* type = call_.getArgOperand(argument)->getType();
    return scalar_type(type) ? type : (*lowering_.leaves(type))[scalar].type;
  }

  // Does it return a pointer where a number is expected, or the other way round, and is that not the same?
  bool mixes_pointers(const llvm::Function& callee) const {
    return !lowering_.module.words.are_addresses() && !callee.getReturnType()->isVoidTy() &&
           callee.getReturnType()->isPointerTy() != call_.getType()->isPointerTy();
  }

  void take_result() {
    if (buffer_) {
      Scalars scalars;
      for (const Leaf& leaf : results_) {
        const RegisterId part = emitter_.load(build_.plus(*buffer_, static_cast<Value>(leaf.offset)),
                                              *cell_type(leaf.type, lowering_.data()), {});
        scalars.push_back(lowering_.as_loaded(emitter_.value_of(part), *leaf.type));
      }
      lowering_.define(call_, std::move(scalars));
    } else if (result_) {
      lowering_.define(call_, emitter_.value_of(result_));
    }
  }

  FunctionLowering& lowering_;
  Emitter& emitter_;
  Expressions& build_;
  const llvm::CallBase& call_;
  std::vector<Scalars> arguments_;
  std::vector<Leaf> results_;
  RegisterId result_;
  std::optional<ExprId> buffer_;
};

const llvm::Function* called_function(const llvm::CallBase& call) {
  const llvm::Value* target = call.getCalledOperand()->stripPointerCasts();
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(target)) target = alias->getAliaseeObject();
  return llvm::dyn_cast_or_null<llvm::Function>(target);
}

}  // namespace

std::string text_argument(const llvm::CallBase& call, unsigned index) {
  llvm::StringRef text;
  if (index >= call.arg_size() || !call.getArgOperand(index)->getType()->isPointerTy()) return "";
  return llvm::getConstantStringInfo(call.getArgOperand(index), text) ? text.str() : "";
}

void lower_call(FunctionLowering& lowering, const llvm::CallBase& call) {
  if (is_uninitialised_mark(call)) return;
  if (has_no_effect(call)) {
    if (!llvm::isa<llvm::IntrinsicInst>(call)) lower_ignored(lowering, call);
    return;
  }
  if (call.isInlineAsm()) return lower_inline_assembly(lowering, call);
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return lower_intrinsic(lowering, *intrinsic);
  const llvm::Function* callee = called_function(call);
  if (callee == nullptr) return Calling(lowering, call).through_pointer();
  if (!callee->isDeclaration()) return Calling(lowering, call).directly(*callee);
  if (lower_primitive(lowering, call, *callee)) return;
  lower_external(lowering, call);
}

}  // namespace weir::c
