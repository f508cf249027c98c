// Values of the module as expressions: constants, registers, and whether they are initialised.
#include <fmt/format.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "frontend/c/instructions/checks.hpp"
#include "frontend/c/lowering/function.hpp"
#include "frontend/c/names.hpp"
#include "program/address.hpp"

namespace weir::c {

namespace {

// Larger expressions are computed once, in a register.
constexpr std::size_t kLargestExpression = 48;
// Expressions without registers cost nothing in a state; they may be repeated.
constexpr std::size_t kLargestRepeated = 9;

bool reads_registers(const Program& program, ExprId id) {
  if (!id) return false;
  const Expression& e = program.expression(id);
  return e.op == ExprOp::kRegister || reads_registers(program, e.a) || reads_registers(program, e.b) ||
         reads_registers(program, e.c);
}

}  // namespace

Scalars FunctionLowering::value(const llvm::Value& operand) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&operand)) return constant_value(*constant);
  const auto known = values_.find(&operand);
  if (known != values_.end()) return known->second;
  // A value whose definition was not supported, or one of an unreachable block.
  const auto parts = leaves(operand.getType());
  Scalars zeros;
  for (const Leaf& leaf : parts.value_or(std::vector<Leaf>{}))
    zeros.push_back(build.constant(0, *scalar_type(leaf.type)));
  if (zeros.empty()) zeros.push_back(build.constant(0, kInt64));
  return zeros;
}

Scalars FunctionLowering::use_all(const llvm::Value& operand) {
  check_initialised(operand);
  return value(operand);
}

ExprId FunctionLowering::use(const llvm::Value& operand) { return use_all(operand).front(); }

void FunctionLowering::define(const llvm::Instruction& instruction, Scalars scalars) {
  if (!plan.used(instruction) && !may_fail(instruction)) return;
  require_defined(*this, instruction);
  const bool at_use = plan.computed_at_use(instruction) && !may_fail(instruction);
  const llvm::DILocalVariable* variable = variable_of(instruction);
  for (ExprId& scalar : scalars) {
    if (build.is_leaf(scalar)) continue;
    const std::size_t size = build.size(scalar);
    if (at_use && size <= kLargestExpression) continue;
    if (!may_fail(instruction) && size <= kLargestRepeated && !reads_registers(module.program, scalar))
      continue;
    const RegisterId reg =
        emitter.fresh(build.type(scalar), variable == nullptr ? "" : variable->getName().str());
    emitter.assign(reg, scalar);
    scalar = emitter.value_of(reg);
  }
  values_[&instruction] = std::move(scalars);
}

void FunctionLowering::define_nothing(const llvm::Instruction& instruction) { values_.erase(&instruction); }

RegisterId FunctionLowering::result_register(const llvm::Instruction& instruction) {
  const llvm::DILocalVariable* variable = variable_of(instruction);
  const RegisterId reg = emitter.fresh(*scalar_type(instruction.getType()),
                                       variable == nullptr ? "" : variable->getName().str());
  values_[&instruction] = {emitter.value_of(reg)};
  return reg;
}

// --- Constants
// ----------------------------------------------------------------------------------------------

Scalars FunctionLowering::constant_value(const llvm::Constant& constant) {
  if (scalar_type(constant.getType())) return {constant_scalar(constant)};
  const auto parts = leaves(constant.getType());
  if (!parts) return {build.constant(0, kInt64)};
  Scalars scalars;
  const auto add = [&](const llvm::Constant* element) {
    const Scalars inner = constant_value(*element);
    scalars.append(inner.begin(), inner.end());
  };
  if (llvm::isa<llvm::UndefValue>(constant) || constant.isNullValue()) {
    for (const Leaf& leaf : *parts) scalars.push_back(build.constant(0, *scalar_type(leaf.type)));
  } else if (const auto* wide = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    for (std::size_t i = 0; i < parts->size(); ++i)
      scalars.push_back(build.constant(static_cast<Value>(wide->getValue().getRawData()[i]),
                                       *scalar_type((*parts)[i].type)));
  } else if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
    for (unsigned i = 0; i < data->getNumElements(); ++i) add(data->getElementAsConstant(i));
  } else {
    for (const llvm::Use& element : constant.operands()) add(llvm::cast<llvm::Constant>(element.get()));
  }
  if (scalars.size() == parts->size()) return scalars;
  complain("a constant of this kind is not supported");
  return Scalars(parts->size(), build.constant(0, kInt64));
}

ExprId FunctionLowering::constant_scalar(const llvm::Constant& constant) {
  const Type type = *scalar_type(constant.getType());
  if (llvm::isa<llvm::UndefValue>(constant)) return build.constant(0, type);
  report_broken_global(constant);
  if (const auto number = module.globals.number(constant)) return build.constant(*number, type);
  const auto operand = [this](const llvm::Value& inner) { return value(inner).front(); };
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
    return variable_address(*variable);
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&constant))
    return element_address(*gep, data(), build, operand);
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
      expression != nullptr && expression->isCast())
    if (scalar_type(expression->getOperand(0)->getType()))
      return as_if_of_type(constant_scalar(*expression->getOperand(0)), *expression->getOperand(0)->getType(),
                           *expression->getType());
  complain("a constant expression of this kind is not supported");
  return build.constant(0, type);
}

ExprId FunctionLowering::variable_address(const llvm::GlobalVariable& variable) {
  const Global& global = module.globals.use(variable);
  if (global.is_private)
    return build.address(
        static_cast<std::uint64_t>(encode(PrivateAddress{0, static_cast<std::uint64_t>(global.address)})));
  const ExprId start = build.constant(global.address, kAddress);
  if (global.copy_distance == 0) return start;
  const ExprId distance = build.constant(global.copy_distance, kAddress);
  return build.binary(ExprOp::kAdd, start, build.binary(ExprOp::kMul, build.self(kAddress), distance));
}

void FunctionLowering::report_broken_global(const llvm::Constant& constant) {
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    if (std::string problem = module.globals.problem_text(*variable); !problem.empty())
      complain(std::move(problem));
  } else if (llvm::isa<llvm::ConstantExpr>(constant)) {
    for (const llvm::Use& operand : constant.operands())
      report_broken_global(*llvm::cast<llvm::Constant>(operand.get()));
  }
}

// --- Initialised?
// -------------------------------------------------------------------------------------------

Scalars FunctionLowering::shadow(const llvm::Value& operand) {
  const auto known = shadows_.find(&operand);
  if (known != shadows_.end()) return known->second;
  const bool undefined = llvm::isa<llvm::UndefValue>(operand) || is_uninitialised_mark(operand);
  return Scalars(value(operand).size(), build.constant(undefined ? 1 : 0, kBool));
}

// Of an instruction that passes values on.
void FunctionLowering::define_shadow(const llvm::Instruction& instruction) {
  if (!plan.maybe_uninitialised(instruction)) return;
  Scalars scalars;
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    const ExprId condition = emitter.in_register(use(*choice->getCondition()));
    const Scalars a = shadow(*choice->getTrueValue()), b = shadow(*choice->getFalseValue());
    for (std::size_t i = 0; i < a.size(); ++i) scalars.push_back(build.select(condition, a[i], b[i]));
  } else if (const auto* insertion = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    scalars = shadow(*insertion->getAggregateOperand());
    const Scalars part = shadow(*insertion->getInsertedValueOperand());
    const std::size_t first = leaf_index(insertion->getType(), insertion->getIndices(), data());
    std::copy(part.begin(), part.end(), scalars.begin() + static_cast<std::ptrdiff_t>(first));
  } else if (const auto* extraction = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const Scalars whole = shadow(*extraction->getAggregateOperand());
    const std::size_t first =
        leaf_index(extraction->getAggregateOperand()->getType(), extraction->getIndices(), data());
    const std::size_t count = value(instruction).size();
    for (std::size_t i = first; i < first + count && i < whole.size(); ++i) scalars.push_back(whole[i]);
  } else {
    scalars = shadow(*instruction.getOperand(0));  // freeze
  }
  for (ExprId& scalar : scalars) scalar = emitter.in_register(scalar);
  shadows_[&instruction] = std::move(scalars);
}

void FunctionLowering::check_initialised(const llvm::Value& operand) {
  if (!plan.maybe_uninitialised(operand) && !llvm::isa<llvm::UndefValue>(operand)) return;
  auto& places = checked_[&operand];
  for (const llvm::BasicBlock* place : places)
    if (dominators_.dominates(place, block_)) return;
  places.push_back(block_);
  ExprId uninitialised = build.constant(0, kBool);
  for (const ExprId part : shadow(operand)) uninitialised = build.either(uninitialised, part);
  const std::string name = variable_name(operand);
  emitter.require(build.negation(uninitialised),
                  name.empty() ? "a value is used that was never initialised"
                               : fmt::format("`{}` is read before it is initialised", name));
}

std::string FunctionLowering::variable_name(const llvm::Value& operand, unsigned depth) const {
  if (is_uninitialised_mark(operand)) return marked_variable(operand);
  if (const auto* variable = variable_of(operand)) return variable->getName().str();
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&operand);
  if (instruction == nullptr || depth > 8) return "";
  for (const llvm::Value* inner : instruction->operand_values())
    if (plan.maybe_uninitialised(*inner))
      if (std::string name = variable_name(*inner, depth + 1); !name.empty()) return name;
  return "";
}

}  // namespace weir::c
