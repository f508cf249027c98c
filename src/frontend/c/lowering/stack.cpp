// Variables: in private memory if nobody else has to do with them, otherwise blocks of the stack.
//
// A block of the stack lives from the mark where its scope is entered to that where it is left
// (lifetimes.hpp). Each time the scope is entered the variable is another object, so that a pointer to an
// earlier one is seen to be out of date. In a loop that nothing bounds there would be no end of objects, and
// of states: there a few take turns, and a pointer that is as many rounds old as there are objects would be
// taken for a new one.
#include <fmt/format.h>

#include "frontend/c/instructions/copy.hpp"
#include "frontend/c/lowering/function.hpp"
#include "frontend/c/names.hpp"
#include "program/address.hpp"

namespace weir::c {

namespace {

constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 30;  // bytes

std::uint64_t round_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

// --- Private memory
// -----------------------------------------------------------------------------------------

std::uint64_t FunctionLowering::reserve(std::string name, std::uint64_t bytes, std::uint64_t alignment) {
  // A byte between two objects, so that one past the end of the first is not the second.
  const std::uint64_t start = privates_.empty() ? 0 : round_up(private_bytes_ + 1, alignment);
  privates_.push_back({std::move(name), start, std::max<std::uint64_t>(1, bytes)});
  private_bytes_ = start + privates_.back().size;
  return start;
}

void FunctionLowering::allocate_variables() {
  for (const auto& [variable, beginnings] : count_beginnings(source))
    stack_variables_[variable].beginnings = beginnings;
  for (const llvm::Instruction& instruction : source.getEntryBlock()) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable == nullptr || !variable->isStaticAlloca() || is_never_written(*variable)) continue;
    emitter.at(position_of(instruction));
    emitter.for_instruction(&instruction);
    if (const llvm::DILocalVariable* declared = variable_of(*variable))
      emitter.at(module.positions.of(declared));
    const auto size = variable->getAllocationSize(data());
    if (!size || size->isScalable()) {
      unsupported(instruction, "a variable of this type is not supported");
    } else if (size->getFixedValue() > kLargestVariable) {
      unsupported(instruction, fmt::format("a variable of {} bytes is too large", size->getFixedValue()));
    } else if (module.private_allocas.contains(variable)) {
      const std::uint64_t offset =
          reserve(name_of(*variable), size->getFixedValue(), variable->getAlign().value());
      values_[variable] = {build.frame(offset)};
    } else {
      place_on_stack(*variable, size->getFixedValue());
    }
  }
}

// --- Blocks of the stack
// ------------------------------------------------------------------------------------

RegisterId FunctionLowering::add_stack_block(std::string name) {
  stack_blocks_.push_back(emitter.fresh(kAddress, std::move(name)));
  return stack_blocks_.back();
}

std::vector<RegisterId> FunctionLowering::allocate_stack_blocks(const std::string& name, std::uint64_t bytes,
                                                                unsigned count) {
  std::vector<RegisterId> blocks;
  for (unsigned i = 0; i < count; ++i) {
    blocks.push_back(emitter.fresh(kAddress, name));
    emitter.emit({.op = Opcode::kAllocate,
                  .block = BlockKind::kStack,
                  .result = blocks.back(),
                  .a = build.address(bytes),
                  .message = name});
  }
  return blocks;
}

void FunctionLowering::place_on_stack(const llvm::AllocaInst& variable, std::uint64_t bytes) {
  const bool literal = variable.getName().starts_with(".compoundliteral");
  const std::string name = literal ? "compound literal" : name_of(variable);
  const auto known = stack_variables_.find(&variable);
  const unsigned count = known == stack_variables_.end() ? 1 : known->second.beginnings.most;
  std::vector<RegisterId> objects = allocate_stack_blocks(name, bytes, count);
  const ExprId first = emitter.value_of(objects.front());
  const RegisterId live = add_stack_block(name);
  values_[&variable] = {first};
  if (known == stack_variables_.end()) return emitter.assign(live, first);
  StackVariable& placed = known->second;
  placed.objects = std::move(objects);
  placed.live = live;
  emitter.assign(live, build.address(0));
  if (count == 1) return;
  placed.newest = emitter.fresh(kAddress, name);
  placed.begun = emitter.fresh(kAddress);
  values_[&variable] = {emitter.value_of(placed.newest)};
  emitter.assign(placed.newest, first);
  emitter.assign(placed.begun, build.address(0));
}

void FunctionLowering::begin_variable(const llvm::AllocaInst& variable) {
  const auto known = stack_variables_.find(&variable);
  if (known == stack_variables_.end() || !known->second.live) return;
  const StackVariable& placed = known->second;
  if (!placed.begun) return emitter.assign(placed.live, emitter.value_of(placed.objects.front()));
  // A literal that is evaluated twice in its block is still the same object.
  const ExprId ended = build.compare(ExprOp::kEq, emitter.value_of(placed.live), build.address(0));
  emitter.when(ended, [&] { begin_next_object(placed); });
}

void FunctionLowering::begin_next_object(const StackVariable& placed) {
  const ExprId begun = emitter.value_of(placed.begun);
  const ExprId count = build.address(placed.objects.size());
  const ExprId turn = build.binary(ExprOp::kRem, begun, count);
  ExprId next = emitter.value_of(placed.objects.back());
  for (std::size_t i = placed.objects.size() - 1; i-- > 0;)
    next = build.select(build.compare(ExprOp::kEq, turn, build.address(i)),
                        emitter.value_of(placed.objects[i]), next);
  emitter.assign(placed.newest, next);
  emitter.assign(placed.live, emitter.value_of(placed.newest));
  if (placed.beginnings.bounded) return emitter.assign(placed.begun, build.plus(begun, 1));
  // Those of the first round are new; later ones were there before.
  emitter.when(build.negation(build.compare(ExprOp::kLt, begun, count)), [&] {
    emitter.emit({.op = Opcode::kFree,
                  .block = BlockKind::kStack,
                  .renews = true,
                  .a = emitter.value_of(placed.newest)});
  });
  const ExprId last = build.address(2 * placed.objects.size() - 1);
  emitter.assign(placed.begun,
                 build.select(build.compare(ExprOp::kEq, begun, last), count, build.plus(begun, 1)));
}

void FunctionLowering::end_variable(const llvm::AllocaInst& variable) {
  const auto known = stack_variables_.find(&variable);
  if (known == stack_variables_.end() || !known->second.live) return;
  release(known->second.live);
}

void FunctionLowering::release(RegisterId block) {
  emitter.emit({.op = Opcode::kFree, .block = BlockKind::kStack, .a = emitter.value_of(block)});
  emitter.assign(block, build.address(0));
}

void FunctionLowering::release_stack_blocks() {
  for (const RegisterId block : stack_blocks_) release(block);
}

// What a parameter passed by value points to belongs to the caller; the function needs one of its own.
void FunctionLowering::copy_parameters() {
  for (const llvm::Argument& parameter : source.args()) {
    if (!parameter.hasByValAttr()) continue;
    const TypeLayout& layout = module.layouts.of(parameter.getParamByValType());
    const RegisterId block = add_stack_block(name_of(parameter));
    emitter.emit({.op = Opcode::kAllocate,
                  .block = BlockKind::kStack,
                  .result = block,
                  .a = build.address(layout.size)});
    copy_structure(*this, emitter.value_of(block), value(parameter).front(), layout);
    values_[&parameter] = {emitter.value_of(block)};
  }
}

// --- Sizes that are computed
// --------------------------------------------------------------------------------

// In a loop it is a new block each time, and ends with the function unless the loop gives it back.
void FunctionLowering::lower_alloca(const llvm::AllocaInst& variable) {
  if (variable.isStaticAlloca()) return;  // when the function is entered
  const std::uint64_t element = data().getTypeAllocSize(variable.getAllocatedType());
  const ExprId count = build.cast(build.as_unsigned(use(*variable.getArraySize())), kAddress);
  const ExprId size = build.binary(ExprOp::kMul, count, build.address(element));
  const RegisterId live = dynamic_blocks_.lookup(&variable);
  emitter.when(build.compare(ExprOp::kNe, emitter.value_of(live), build.address(0)),
               [&] { emitter.give_up("alloca() is called again before what it gave has ended"); });
  const RegisterId block = emitter.fresh(kAddress, name_of(variable));
  emitter.emit({.op = Opcode::kAllocate,
                .block = BlockKind::kStack,
                .result = block,
                .a = size,
                .message = name_of(variable)});
  emitter.assign(live, emitter.value_of(block));
  values_[&variable] = {emitter.value_of(block)};
}

void FunctionLowering::release_blocks_since(const llvm::Value& saved) {
  const auto* save = llvm::dyn_cast<llvm::Instruction>(&saved);
  if (save == nullptr) return;
  for (const auto& [variable, block] : dynamic_blocks_)
    if (dominators_.dominates(save, variable)) release(block);
}

}  // namespace weir::c
