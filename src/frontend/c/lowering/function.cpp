#include "frontend/c/lowering/function.hpp"

#include <fmt/format.h>
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include "base/error.hpp"
#include "frontend/c/instructions/access.hpp"
#include "frontend/c/instructions/call.hpp"
#include "frontend/c/instructions/checks.hpp"
#include "frontend/c/instructions/copy.hpp"
#include "frontend/c/instructions/wide_numbers.hpp"
#include "frontend/c/lowering/registers.hpp"
#include "frontend/c/names.hpp"
#include "frontend/c/pipeline/link.hpp"
#include "frontend/c/stopping.hpp"

namespace weir::c {

namespace {

std::string type_text(const llvm::Type& type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

// Constants of any width are taken modulo 2^64.
bool has_scalar_indices(const llvm::GEPOperator& gep) {
  return llvm::all_of(gep.indices(), [](const llvm::Use& index) {
    return llvm::isa<llvm::ConstantInt>(index.get()) || scalar_type(index->getType());
  });
}

}  // namespace

FunctionLowering::FunctionLowering(ModuleLowering& lowering, const llvm::Function& function, FunctionId id,
                                   bool inside_block)
    : module(lowering),
      emitter(lowering.program),
      build(emitter.build),
      source(function),
      plan(function, inside_block),
      id_(id),
      dominators_(const_cast<llvm::Function&>(function)) {}

void FunctionLowering::run() {
  const std::size_t first_expression = module.program.expressions.size();
  emitter.at(module.positions.of(source.getSubprogram()));
  report_plan_problems();
  prepare_parameters();
  prepare_blocks();
  // A thread that was not created yet must not have executed anything: it enters when it starts to run.
  if (source.getName() != kThreadEntry) enter();
  emitter.jump(nodes_[&source.getEntryBlock()]);
  // Dominators first, so definitions come before uses.
  const auto reachable = reachable_blocks();
  for (const auto* node : llvm::depth_first(&dominators_))
    if (reachable.contains(node->getBlock())) lower_block(*node->getBlock());
  WEIR_CHECK(entered_, "the entry point of threads waits until its thread is created");

  share_registers(emitter.graph, module.program, first_expression, module.options.context);
  remove_idle_edges(emitter.graph);
  module.program.functions[id_.index()].privates = std::move(privates_);
  add_to_program(std::move(emitter.graph), id_, module.program, module.origins);
}

llvm::DenseSet<const llvm::BasicBlock*> FunctionLowering::reachable_blocks() const {
  llvm::DenseSet<const llvm::BasicBlock*> found{&source.getEntryBlock()};
  std::vector<const llvm::BasicBlock*> open{&source.getEntryBlock()};
  while (!open.empty()) {
    const llvm::BasicBlock* block = open.back();
    open.pop_back();
    for (const llvm::BasicBlock* next : llvm::successors(block))
      if (found.insert(next).second) open.push_back(next);
  }
  return found;
}

SourcePosition FunctionLowering::position_of(const llvm::Instruction& instruction) {
  return module.positions.of(instruction.getDebugLoc());
}

void FunctionLowering::complain(std::string message, std::string hint) {
  const llvm::Instruction& here = current_ != nullptr ? *current_ : source.getEntryBlock().front();
  const SourcePosition position =
      emitter.position().known() ? emitter.position() : module.positions.near(here);
  if (module.options.strict) return module.report(position, std::move(message), std::move(hint));
  emitter.at(position);
  emitter.give_up(hint.empty() ? message : fmt::format("{} ({})", message, hint));
}

void FunctionLowering::unsupported(const llvm::Instruction& instruction, std::string message,
                                   std::string hint) {
  complain(std::move(message), std::move(hint));
  define_nothing(instruction);
}

void FunctionLowering::report_plan_problems() {
  for (const PlanProblem& problem : plan.problems()) {
    module.report(module.positions.near(*problem.where), problem.what,
                  "begin and end of an atomic block must match on every path");
  }
}

// --- Entry
// --------------------------------------------------------------------------------------------------

void FunctionLowering::prepare_parameters() {
  for (const llvm::Argument& parameter : source.args()) {
    const auto parts = leaves(parameter.getType());
    if (!parts) {
      complain(fmt::format("function `{}` has a parameter of type {}, which is not supported",
                           name_of(source), type_text(*parameter.getType())));
      continue;
    }
    Scalars scalars;
    for (const Leaf& leaf : *parts)
      scalars.push_back(emitter.value_of(emitter.fresh(*scalar_type(leaf.type), name_of(parameter))));
    values_[&parameter] = std::move(scalars);
  }
  const auto results = leaves(source.getReturnType());
  if (results && results->size() > 1) result_address_ = emitter.fresh(kAddress, "result");
  emitter.graph.parameter_count = static_cast<std::uint32_t>(emitter.graph.registers.size());
}

void FunctionLowering::prepare_blocks() {
  for (const llvm::BasicBlock& block : source) {
    nodes_[&block] = emitter.new_node();
    for (const llvm::Instruction& instruction : block)
      if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (!variable->isStaticAlloca()) dynamic_blocks_[variable] = add_stack_block(name_of(*variable));
    for (const llvm::PHINode& phi : block.phis()) {
      const auto parts = leaves(phi.getType());
      if (!parts) continue;
      const llvm::DILocalVariable* variable = variable_of(phi);
      const std::string name = variable == nullptr ? "" : variable->getName().str();
      Scalars scalars, shadows;
      for (const Leaf& leaf : *parts) {
        scalars.push_back(emitter.value_of(emitter.fresh(*scalar_type(leaf.type), name)));
        if (plan.maybe_uninitialised(phi))
          shadows.push_back(
              emitter.value_of(emitter.fresh(kBool, name.empty() ? "" : name + " is uninitialised")));
      }
      values_[&phi] = std::move(scalars);
      if (!shadows.empty()) shadows_[&phi] = std::move(shadows);
    }
  }
}

void FunctionLowering::lower_entry() {
  WEIR_CHECK(!entered_, "a function is entered once");
  entered_ = true;
  const llvm::StringRef name = source.getName();
  if (name == kMainEntry || name == kThreadEntry) initialise_thread_locals();
  if (name == kMainEntry || name == kThreadEntry) allocate_thread_blocks();
  allocate_variables();
  copy_parameters();
}

// They lie at the start of the private memory of both entry points.
void FunctionLowering::initialise_thread_locals() {
  for (const Global* global : module.globals.thread_locals()) {
    const auto base = static_cast<std::uint64_t>(global->address);
    WEIR_CHECK(base >= private_bytes_, "thread-local variables come first");
    privates_.push_back({name_of(*global->variable), base, global->layout.size});
    private_bytes_ = base + global->layout.size;
    initialise(*global, build.frame(base));
  }
}

void FunctionLowering::initialise(const Global& global, ExprId address) {
  for (const CellRun& run : global.layout.runs) {
    const Type type{static_cast<std::uint8_t>(run.bytes * 8), run.is_integer};
    const std::vector<Value> initial = module.globals.initial_values(global, run, type);
    for (std::uint64_t k = 0; k < run.count; ++k)
      if (initial[k] != kUninitialised)
        emitter.store(build.plus(address, static_cast<Value>(run.offset + k * run.stride)),
                      build.constant(initial[k], type), type, {});
  }
}

// Those that others may reach. Their addresses are known before they exist: these are the first blocks of the
// stack of each thread.
void FunctionLowering::allocate_thread_blocks() {
  const std::vector<const Global*>& blocks = module.globals.blocks();
  if (blocks.empty()) return;
  const RegisterId address = emitter.fresh(kAddress);
  for (const Global* global : blocks)
    emitter.emit({.op = Opcode::kAllocate,
                  .block = BlockKind::kStack,
                  .result = address,
                  .a = build.address(std::max<std::uint64_t>(1, global->layout.size)),
                  .message = name_of(*global->variable)});
  atomically("initialises its thread-local variables", [&] {
    for (const Global* global : blocks) initialise(*global, variable_address(*global->variable));
  });
}

void FunctionLowering::release_thread_blocks() {
  for (const Global* global : module.globals.blocks())
    emitter.emit({.op = Opcode::kFree, .block = BlockKind::kStack, .a = variable_address(*global->variable)});
}

// --- Atomic blocks
// ------------------------------------------------------------------------------------------

void FunctionLowering::begin_block(std::string what) {
  if (open_blocks_++ == 0) emitter.emit({.op = Opcode::kAtomicBegin, .message = std::move(what)});
}

void FunctionLowering::end_block() {
  if (open_blocks_ == 0) return;  // reported
  if (--open_blocks_ == 0) emitter.emit({.op = Opcode::kAtomicEnd});
  if (open_blocks_ == 0) enter();
}

// --- Instructions
// -------------------------------------------------------------------------------------------

void FunctionLowering::lower_block(const llvm::BasicBlock& block) {
  block_ = &block;
  open_blocks_ = plan.open_blocks(block);
  emitter.continue_at(nodes_[&block]);
  for (const llvm::Instruction& instruction : block) {
    poll(module.options.context);
    // What the compiler adds to the user's code stands where the code before it does; the runtime's own code
    // stands nowhere.
    if (!instruction.getDebugLoc() && source.getSubprogram() == nullptr) emitter.at_no_place();
    emitter.at(position_of(instruction));
    current_ = &instruction;
    emitter.for_instruction(&instruction);
    lower_instruction(instruction);
  }
}

void FunctionLowering::lower_instruction(const llvm::Instruction& instruction) {
  using llvm::Instruction;
  if (instruction.isTerminator()) return lower_terminator(instruction);
  switch (instruction.getOpcode()) {
    case Instruction::PHI:
      if (!leaves(instruction.getType()))
        complain(fmt::format("values of type {} are not supported", type_text(*instruction.getType())));
      return;
    case Instruction::Alloca: return lower_alloca(llvm::cast<llvm::AllocaInst>(instruction));
    case Instruction::Load: return lower_load(*this, llvm::cast<llvm::LoadInst>(instruction));
    case Instruction::Store: return lower_store(*this, llvm::cast<llvm::StoreInst>(instruction));
    case Instruction::AtomicRMW: return lower_update(*this, llvm::cast<llvm::AtomicRMWInst>(instruction));
    case Instruction::AtomicCmpXchg:
      return lower_compare_exchange(*this, llvm::cast<llvm::AtomicCmpXchgInst>(instruction));
    case Instruction::Fence: return lower_fence(*this, llvm::cast<llvm::FenceInst>(instruction));
    case Instruction::Call: return lower_call(*this, llvm::cast<llvm::CallInst>(instruction));
    case Instruction::VAArg:
      return unsupported(instruction,
                         "taking one of a variable number of arguments (va_arg) is not supported",
                         "pass the arguments as parameters");
    default: return lower_computation(instruction);
  }
}

void FunctionLowering::lower_computation(const llvm::Instruction& instruction) {
  if (!plan.used(instruction) && !may_fail(instruction)) return require_defined(*this, instruction);
  if (lower_aggregate(instruction) || lower_wide_number(*this, instruction))
    return define_shadow(instruction);
  const bool passes_on = llvm::isa<llvm::SelectInst>(instruction) || llvm::isa<llvm::FreezeInst>(instruction);
  const auto operand = [&](const llvm::Value& inner) {
    const bool is_condition = llvm::isa<llvm::SelectInst>(instruction) && &inner == instruction.getOperand(0);
    return passes_on && !is_condition ? value(inner).front() : use(inner);
  };
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&instruction);
      gep != nullptr && scalar_type(gep->getType()) && has_scalar_indices(*gep))
    return define(instruction, element_address(*gep, data(), build, operand));
  if (llvm::isa<llvm::PtrToIntInst, llvm::IntToPtrInst>(instruction) && scalar_type(instruction.getType()) &&
      scalar_type(instruction.getOperand(0)->getType()))
    return define(instruction, as_if_of_type(build.as_unsigned(use(*instruction.getOperand(0))),
                                             *instruction.getOperand(0)->getType(), *instruction.getType()));
  if (const auto computed = computed_value(instruction, build, operand)) {
    define(instruction, *computed);
    return define_shadow(instruction);
  }
  unsupported(instruction,
              fmt::format("the operation `{}` on type {} is not supported", instruction.getOpcodeName(),
                          type_text(*instruction.getType())),
              "integers of up to 64 bits, pointers, float and double are");
}

// Values of several scalars. False if the instruction is not about them.
bool FunctionLowering::lower_aggregate(const llvm::Instruction& instruction) {
  if (const auto* extraction = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const llvm::Value& whole = *extraction->getAggregateOperand();
    const auto parts = leaves(instruction.getType());
    if (!parts || !leaves(whole.getType())) return false;
    if (copied_values.contains(llvm::dyn_cast<llvm::Instruction>(&whole))) return true;
    const Scalars all = value(whole);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(
                                         leaf_index(whole.getType(), extraction->getIndices(), data()));
    define(instruction, Scalars(first, first + static_cast<std::ptrdiff_t>(parts->size())));
    return true;
  }
  if (const auto* insertion = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    if (!leaves(instruction.getType())) return false;
    Scalars all = value(*insertion->getAggregateOperand());
    const Scalars part = value(*insertion->getInsertedValueOperand());
    const std::size_t first = leaf_index(insertion->getType(), insertion->getIndices(), data());
    std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
    define(instruction, std::move(all));
    return true;
  }
  return false;
}

}  // namespace weir::c
