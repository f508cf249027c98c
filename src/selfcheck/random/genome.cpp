// From genomes to programs: variables, helpers, threads, properties.
#include "selfcheck/random/genome.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "program/address.hpp"
#include "selfcheck/random/genome_code.hpp"
#include "selfcheck/random/genome_text.hpp"

namespace weir::selfcheck {

namespace {

bool uses(const Genome& genome, bool (*what)(GeneOp)) {
  return std::ranges::any_of(genome.threads, [&](const ThreadGenes& thread) {
    return std::ranges::any_of(thread.code, what, &InstructionGene::op);
  });
}

bool has_bit(std::uint8_t bits, std::size_t index) { return index < 8 && (bits >> index & 1) != 0; }

// Helpers.

// A function of one parameter with two locations, entry and leave; the edges are for the caller to add.
struct Helper {
  FunctionId function;
  LocationId entry, leave;
};

Helper add_helper(Program& program, const char* name) {
  const FunctionId function = program.add_function(name);
  const LocationId entry = program.add_location(function, "entry");
  const LocationId leave = program.add_location(function, "leave");
  program.functions[function.index()].entry = entry;
  return {function, entry, leave};
}

RegisterId add_parameter(Program& program, const Helper& helper, Type type) {
  program.functions[helper.function.index()].parameter_count = 1;
  return program.add_register(helper.function, "p", type);
}

// helper(p): loads the first variable and returns it plus p.
FunctionId add_reader(Program& program, Type type) {
  const Helper helper = add_helper(program, "helper");
  const RegisterId parameter = add_parameter(program, helper, type);
  const RegisterId loaded = program.add_register(helper.function, "t", type);
  program.add_edge(helper.entry, helper.leave,
                   {.op = Opcode::kLoad, .type = type, .result = loaded, .a = program.constant(0)});
  const ExprId sum = program.binary(ExprOp::kAdd, program.register_value(loaded, type),
                                    program.register_value(parameter, type), type);
  program.add_edge(helper.leave, helper.leave, {.op = Opcode::kReturn, .a = sum});
  return helper.function;
}

// set(p): stores 1 there.
FunctionId add_setter(Program& program, Type type) {
  const Helper helper = add_helper(program, "set");
  const RegisterId parameter = add_parameter(program, helper, kAddressType);
  program.add_edge(helper.entry, helper.leave,
                   {.op = Opcode::kStore,
                    .type = type,
                    .a = program.register_value(parameter, kAddressType),
                    .b = program.constant(1, type)});
  program.add_edge(helper.leave, helper.leave, {.op = Opcode::kReturn});
  return helper.function;
}

// local(): the address of its own byte, in which it put 1.
FunctionId add_local(Program& program, Type type) {
  const Helper helper = add_helper(program, "local");
  program.functions[helper.function.index()].privates = {{.name = "byte", .offset = 1, .size = 1}};
  const auto own_byte = [&] {
    return program.add_expression({.op = ExprOp::kFrame, .type = kAddressType, .constant = 1});
  };
  program.add_edge(helper.entry, helper.leave,
                   {.op = Opcode::kStore, .type = type, .a = own_byte(), .b = program.constant(1, type)});
  program.add_edge(helper.leave, helper.leave, {.op = Opcode::kReturn, .a = own_byte()});
  return helper.function;
}

// leave(p): stops the thread if p is 0.
FunctionId add_leaver(Program& program, Type type) {
  const Helper helper = add_helper(program, "leave");
  const RegisterId parameter = add_parameter(program, helper, type);
  const LocationId stop = program.add_location(helper.function, "stop");
  const auto compared = [&](ExprOp op) {
    return program.binary(op, program.register_value(parameter, type), program.constant(0, type));
  };
  program.add_edge(helper.entry, stop, {.op = Opcode::kAssume, .a = compared(ExprOp::kEq)});
  program.add_edge(helper.entry, helper.leave, {.op = Opcode::kAssume, .a = compared(ExprOp::kNe)});
  program.add_edge(stop, stop, {.op = Opcode::kStop});
  program.add_edge(helper.leave, helper.leave, {.op = Opcode::kReturn});
  return helper.function;
}

GenomeHelpers add_helpers(Program& program, const Genome& genome) {
  const Type type = register_type(genome), cell = genome.bytes ? Type{8, false} : type;
  const bool open = genome.open_memory;
  GenomeHelpers helpers;
  if (uses(genome, [](GeneOp op) { return op == GeneOp::kCall; })) helpers.read = add_reader(program, type);
  if (!open && uses(genome, [](GeneOp op) { return op == GeneOp::kCallSet; }))
    helpers.set = add_setter(program, cell);
  if (!open && uses(genome, [](GeneOp op) { return op == GeneOp::kCallLocal; }))
    helpers.local = add_local(program, cell);
  if (uses(genome, [](GeneOp op) { return op == GeneOp::kCallStop; }))
    helpers.leave = add_leaver(program, type);
  return helpers;
}

// Variables.

SharedObject variable_object(const Genome& genome, std::size_t i) {
  const bool no_value = !genome.open_memory && has_bit(genome.uninitialised, i);
  return {.name = variable_name(genome, i),
          .base = variable_address(genome, i),
          .type = cell_type(genome),
          .initial = {no_value ? kUninitialised : genome.initial[i]},
          .constant = !genome.open_memory && has_bit(genome.constants, i)};
}

void add_variables(Program& program, const Genome& genome) {
  const bool interleaved =
      genome.interleaved && !genome.open_memory && !genome.bytes && genome.initial.size() > 1;
  for (std::size_t i = 0; i < genome.initial.size(); ++i) {
    SharedObject object = variable_object(genome, i);
    if (interleaved && i == 1) {
      program.objects[0].stride = object.base - program.objects[0].base;
      program.objects[0].initial.push_back(object.initial[0]);
    } else {
      program.objects.push_back(std::move(object));
    }
  }
  for (auto left = static_cast<Value>(genome.initial.size()); genome.bytes && left > 2 && left < kGenomeBytes;
       ++left)
    program.objects.push_back({.name = "left", .base = left, .type = cell_type(genome), .initial = {0}});
  const auto uses_pointer_cell = [](GeneOp op) {
    return op >= GeneOp::kPublish && op <= GeneOp::kAwaitPointer;
  };
  if (!genome.open_memory && uses(genome, uses_pointer_cell))
    program.objects.push_back({.name = "ptr", .base = kPointerCell, .type = kAddressType, .initial = {0}});
}

// Threads and properties.

void add_invariant(Program& program, const Genome& genome) {
  const InvariantGene& gene = *genome.invariant;
  const Type type = register_type(genome);
  const auto cell = [&](std::uint8_t variable) {
    return program.add_expression(
        {.op = ExprOp::kSharedCell, .type = type, .constant = variable_address(genome, variable)});
  };
  const ExprId other =
      gene.over_register
          ? program.add_expression(
                {.op = ExprOp::kThreadRegister, .type = type, .reg = RegisterId(0), .thread = ThreadId(0)})
          : cell(gene.other_variable);
  const ExprId one_differs =
      program.binary(ExprOp::kNe, cell(gene.variable), program.constant(gene.value, type));
  const ExprId other_differs = program.binary(ExprOp::kNe, other, program.constant(gene.other_value, type));
  program.properties.invariants.push_back(
      {.expression = program.binary(ExprOp::kLogicalOr, one_differs, other_differs), .text = "invariant"});
}

void add_goals(Program& program, GoalGrouping grouping, const std::vector<ThreadLocation>& places) {
  std::vector<std::vector<ThreadLocation>>& goals = program.properties.goals;
  if (places.empty()) return;
  if (grouping == GoalGrouping::kTogether || places.size() < 2) return goals.push_back(places);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j)
      if (grouping == GoalGrouping::kAnyTwo || j == i + 1) goals.push_back({places[i], places[j]});
}

void add_threads(Program& program, const Genome& genome) {
  const GenomeHelpers helpers = add_helpers(program, genome);
  std::map<ThreadGenes, ThreadFunction> codes;
  std::vector<ThreadLocation> goal, exclusive;
  for (const ThreadGenes& genes : genome.threads) {
    auto found = codes.find(genes);
    if (found == codes.end())
      found = codes.emplace(genes, add_thread_function(program, genome, genes, helpers)).first;
    const ThreadFunction& code = found->second;
    const ThreadId thread = program.add_thread(fmt::format("P{}", program.threads.size()), code.function);
    program.threads.back().dormant = genes.dormant;
    if (genes.goal) goal.push_back({thread, code.goal});
    if (genes.exclusive) {
      const std::size_t place = std::min<std::size_t>(*genes.exclusive, genes.code.size());
      exclusive.push_back({thread, code.before[place]});
    }
  }
  add_goals(program, genome.goals, goal);
  if (exclusive.size() >= 2) program.properties.exclusive.push_back(std::move(exclusive));
}

// Accesses that synchronise with each other, as far as they are atomic: then a data race can be seen in a
// state, and is one of the happens-before relation as well.
void order_accesses(Program& program) {
  for (Edge& edge : program.edges) {
    Instruction& instruction = edge.instruction;
    if (instruction.plain) continue;
    if (instruction.op == Opcode::kLoad) instruction.order = Order::kAcquire;
    if (instruction.op == Opcode::kStore && instruction.order == Order::kRelaxed)
      instruction.order = Order::kRelease;
    if (instruction.op != Opcode::kRmw) continue;
    instruction.order = Order::kAcquireRelease;
    if (instruction.rmw == RmwOp::kCompareExchange) instruction.failing = Order::kAcquire;
  }
}

}  // namespace

Program build(const Genome& genome) {
  Program program;
  program.name = "generated";
  program.open_memory = genome.open_memory;
  program.byte_memory = genome.bytes;
  program.properties.deadlock = genome.deadlock;
  program.properties.races = genome.races;
  program.properties.leaks = genome.leaks;
  add_variables(program, genome);
  add_threads(program, genome);
  if (genome.invariant && !genome.threads.empty()) add_invariant(program, genome);
  if (genome.races) order_accesses(program);
  return program;
}

}  // namespace weir::selfcheck
