// From genomes to programs, and to text.
#include "support/genome.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <ostream>

namespace weir::test {

namespace {

constexpr Type kNarrow{2, false};

std::string variable_name(const Genome& genome, std::size_t variable) {
  static constexpr char kNames[] = "xyzuvw";
  const std::size_t index = variable % genome.initial.size();
  return index < 6 ? std::string(1, kNames[index]) : fmt::format("v{}", index);
}

bool opens_region(GeneOp op) { return op == GeneOp::kLocked || op == GeneOp::kAtomic; }

// An opening instruction, the body that follows it, and a closing instruction that has no gene.
struct Region {
  std::size_t opener = 0;
  std::size_t end = 0;  // one past the body
  bool atomic = false;
  LocationId exit;  // where the closing instruction starts
};

// One function: a location before each instruction and one at the end, plus one for each closing instruction.
class ThreadCode {
 public:
  ThreadCode(Program& program, const Genome& genome, const ThreadGenes& genes, FunctionId helper)
      : program_(program), genome_(genome), genes_(genes), helper_(helper) {
    type_ = genome.open_memory ? kInt64 : kNarrow;
    function_ = program_.add_function(fmt::format("f{}", program_.functions.size()));
    for (std::size_t i = 0; i < kGenomeRegisters; ++i)
      registers_.push_back(program_.add_register(function_, fmt::format("r{}", i), type_));
    for (std::size_t i = 0; i <= size(); ++i)
      before_.push_back(program_.add_location(function_, fmt::format("{}", i)));
    program_.functions[function_.index()].entry = before_[0];
    find_regions();
    for (std::size_t i = 0; i < size(); ++i) add_instruction(i);
    if (genes_.goal) add_goal();
  }

  FunctionId function() const { return function_; }
  LocationId goal() const { return goal_; }
  LocationId before(std::size_t instruction) const { return before_[std::min(instruction, size())]; }

 private:
  std::size_t size() const { return genes_.code.size(); }

  void find_regions() {
    for (std::size_t i = 0; i < size(); ++i) {
      const InstructionGene& gene = genes_.code[i];
      if (!opens_region(gene.op)) continue;
      const std::size_t end = std::min(i + 1 + gene.distance, size());
      const LocationId exit = program_.add_location(function_, fmt::format("{}'", i));
      const bool atomic = gene.op == GeneOp::kAtomic;
      regions_.push_back({i, end, atomic, exit});
      program_.add_edge(exit, before_[end], {.op = atomic ? Opcode::kAtomicEnd : Opcode::kUnlock});
      i = end - 1;  // openers in the body open nothing
    }
  }

  // The region whose body contains instruction i.
  const Region* around(std::size_t i) const {
    const auto found =
        std::ranges::find_if(regions_, [&](const Region& r) { return r.opener < i && i < r.end; });
    return found == regions_.end() ? nullptr : &*found;
  }

  // Where control goes from instruction `from` when it wants to go to instruction `to`.
  LocationId target(std::size_t from, std::size_t to) const {
    to = std::min(to, size());
    if (const Region* here = around(from)) {
      if (to >= here->end) return here->exit;
      return before_[std::max(to, here->opener + 1)];
    }
    const Region* there = around(to);
    if (there == nullptr) return before_[to];
    return before_[to > from ? there->end : there->opener];
  }

  // Building blocks.

  ExprId constant(std::uint8_t value) { return program_.constant(value, type_); }
  RegisterId reg(std::uint8_t index) const { return registers_[index % kGenomeRegisters]; }
  ExprId value_of(std::uint8_t index) { return program_.register_value(reg(index), type_); }
  ExprId address(const InstructionGene& gene) {
    return program_.constant(static_cast<Value>(gene.variable % genome_.initial.size()));
  }
  ExprId indirect_address(const InstructionGene& gene) {
    return program_.unary(ExprOp::kCast, value_of(gene.other));
  }
  ExprId test(ExprOp op, std::uint8_t index, std::uint8_t value) {
    return program_.binary(op, value_of(index), constant(value));
  }

  Instruction load(const InstructionGene& gene, ExprId from) {
    return {.op = Opcode::kLoad, .type = type_, .result = reg(gene.reg), .a = from};
  }
  Instruction store(ExprId to, ExprId value, Order order = Order::kRelaxed) {
    return {.op = Opcode::kStore, .order = order, .type = type_, .a = to, .b = value};
  }
  Instruction rmw(const InstructionGene& gene, RmwOp op) {
    Instruction result{.op = Opcode::kRmw, .rmw = op, .type = type_, .result = reg(gene.reg)};
    result.a = address(gene);
    result.b = constant(gene.value);
    if (op == RmwOp::kCompareExchange) result.c = value_of(gene.other);
    return result;
  }
  Instruction assign(const InstructionGene& gene, ExprId value) {
    return {.op = Opcode::kAssign, .result = reg(gene.reg), .a = value};
  }
  Instruction call(const InstructionGene& gene) {
    return {
        .op = Opcode::kCall, .result = reg(gene.reg), .callee = helper_, .arguments = {value_of(gene.other)}};
  }

  // Adding instruction i.

  void add_instruction(std::size_t i) {
    switch (genes_.code[i].op) {
      case GeneOp::kLocked:
      case GeneOp::kAtomic: return add_opener(i);
      case GeneOp::kBranch: return add_branch(i, i + 1, i + 1 + genes_.code[i].distance);
      case GeneOp::kLoop:
        return add_branch(i, i - std::min<std::size_t>(i, genes_.code[i].distance + 1), i + 1);
      case GeneOp::kEither:
        program_.add_edge(before_[i], target(i, i + 1), {});
        program_.add_edge(before_[i], target(i, i + 1 + genes_.code[i].distance), {});
        return;
      default: program_.add_edge(before_[i], target(i, i + 1), straight_line(i));
    }
  }

  void add_opener(std::size_t i) {
    for (const Region& region : regions_) {
      if (region.opener != i) continue;
      const LocationId inside = region.end == i + 1 ? region.exit : before_[i + 1];
      program_.add_edge(before_[i], inside, {.op = region.atomic ? Opcode::kAtomicBegin : Opcode::kLock});
      return;
    }
    program_.add_edge(before_[i], target(i, i + 1), {});
  }

  void add_branch(std::size_t i, std::size_t if_equal, std::size_t otherwise) {
    const InstructionGene& gene = genes_.code[i];
    program_.add_edge(before_[i], target(i, if_equal),
                      {.op = Opcode::kAssume, .a = test(ExprOp::kEq, gene.reg, gene.value)});
    program_.add_edge(before_[i], target(i, otherwise),
                      {.op = Opcode::kAssume, .a = test(ExprOp::kNe, gene.reg, gene.value)});
  }

  Instruction straight_line(std::size_t i) {
    const InstructionGene& g = genes_.code[i];
    const Region* region = around(i);
    const bool in_block = region != nullptr && region->atomic;
    switch (g.op) {
      case GeneOp::kLoad: return load(g, address(g));
      case GeneOp::kStore: return store(address(g), constant(g.value));
      case GeneOp::kStoreRegister: return store(address(g), value_of(g.reg));
      case GeneOp::kStoreRelease: return store(address(g), constant(g.value), Order::kRelease);
      case GeneOp::kStoreSequential: return store(address(g), constant(g.value), Order::kSequential);
      case GeneOp::kFullFence: return {.op = Opcode::kFence, .fence = FenceKind::kFull};
      case GeneOp::kStoreFence: return {.op = Opcode::kFence, .fence = FenceKind::kStoreStore};
      case GeneOp::kLock: return {.op = in_block ? Opcode::kNop : Opcode::kLock};
      case GeneOp::kUnlock: return {.op = in_block ? Opcode::kNop : Opcode::kUnlock};
      case GeneOp::kExchange: return rmw(g, RmwOp::kExchange);
      case GeneOp::kFetchAdd: return rmw(g, RmwOp::kAdd);
      case GeneOp::kCompareExchange: return rmw(g, RmwOp::kCompareExchange);
      case GeneOp::kAssign: return assign(g, constant(g.value));
      case GeneOp::kAssignSum:
        return assign(g, program_.binary(ExprOp::kAdd, value_of(g.other), constant(g.value), type_));
      case GeneOp::kDivide:
        return assign(g, program_.binary(ExprOp::kDiv, constant(g.value), value_of(g.other), type_));
      case GeneOp::kAssume: return {.op = Opcode::kAssume, .a = test(ExprOp::kEq, g.reg, g.value)};
      case GeneOp::kAssert: return {.op = Opcode::kAssert, .a = test(ExprOp::kNe, g.reg, g.value)};
      case GeneOp::kChoose: return {.op = Opcode::kChoose, .result = reg(g.reg), .low = 0, .high = g.value};
      case GeneOp::kCall: return call(g);
      case GeneOp::kLoadIndirect: return load(g, indirect_address(g));
      case GeneOp::kStoreIndirect: return store(indirect_address(g), constant(g.value));
      default: return {};
    }
  }

  void add_goal() {
    goal_ = program_.add_location(function_, "goal");
    program_.add_edge(before_[size()], goal_,
                      {.op = Opcode::kAssume, .a = test(ExprOp::kEq, genes_.goal->reg, genes_.goal->value)});
  }

  Program& program_;
  const Genome& genome_;
  const ThreadGenes& genes_;
  FunctionId helper_;
  Type type_;
  FunctionId function_;
  std::vector<RegisterId> registers_;
  std::vector<LocationId> before_;
  std::vector<Region> regions_;
  LocationId goal_;
};

// helper(p): loads the first variable and returns it plus p.
FunctionId add_helper(Program& program, Type type) {
  const FunctionId function = program.add_function("helper");
  const RegisterId parameter = program.add_register(function, "p", type);
  const RegisterId loaded = program.add_register(function, "t", type);
  program.functions[function.index()].parameter_count = 1;
  const LocationId entry = program.add_location(function, "entry");
  const LocationId leave = program.add_location(function, "leave");
  program.functions[function.index()].entry = entry;
  program.add_edge(entry, leave,
                   {.op = Opcode::kLoad, .type = type, .result = loaded, .a = program.constant(0)});
  const ExprId sum = program.binary(ExprOp::kAdd, program.register_value(loaded, type),
                                    program.register_value(parameter, type), type);
  program.add_edge(leave, leave, {.op = Opcode::kReturn, .a = sum});
  return function;
}

bool calls(const Genome& genome) {
  for (const ThreadGenes& thread : genome.threads)
    for (const InstructionGene& gene : thread.code)
      if (gene.op == GeneOp::kCall) return true;
  return false;
}

void add_variables(Program& program, const Genome& genome) {
  const Type type = genome.open_memory ? kInt64 : kNarrow;
  for (std::size_t i = 0; i < genome.initial.size(); ++i)
    program.objects.push_back({.name = variable_name(genome, i),
                               .base = static_cast<Value>(i),
                               .type = type,
                               .initial = {genome.initial[i]}});
}

void add_invariant(Program& program, const Genome& genome) {
  const InvariantGene& gene = *genome.invariant;
  const Type type = genome.open_memory ? kInt64 : kNarrow;
  const auto cell = [&](std::uint8_t variable) {
    const Value address = static_cast<Value>(variable % genome.initial.size());
    return program.add_expression({.op = ExprOp::kSharedCell, .type = type, .constant = address});
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

void add_threads(Program& program, const Genome& genome) {
  const Type type = genome.open_memory ? kInt64 : kNarrow;
  const FunctionId helper = calls(genome) ? add_helper(program, type) : FunctionId::none();
  std::map<ThreadGenes, ThreadCode> codes;
  std::vector<ThreadLocation> exclusive;
  for (const ThreadGenes& genes : genome.threads) {
    auto code = codes.find(genes);
    if (code == codes.end()) code = codes.emplace(genes, ThreadCode(program, genome, genes, helper)).first;
    const ThreadId thread =
        program.add_thread(fmt::format("P{}", program.threads.size()), code->second.function());
    if (genes.goal) program.properties.goal.push_back({thread, code->second.goal()});
    if (genes.exclusive) exclusive.push_back({thread, code->second.before(*genes.exclusive)});
  }
  if (exclusive.size() >= 2) program.properties.exclusive.push_back(std::move(exclusive));
}

// Text.

std::string describe_gene(const Genome& genome, const InstructionGene& g) {
  const std::string v = variable_name(genome, g.variable);
  const std::string r = fmt::format("r{}", g.reg % kGenomeRegisters);
  const std::string s = fmt::format("r{}", g.other % kGenomeRegisters);
  const int k = g.value;
  const int n = g.distance;
  switch (g.op) {
    case GeneOp::kNop: return "nop";
    case GeneOp::kLoad: return fmt::format("{} := {}", r, v);
    case GeneOp::kStore: return fmt::format("{} := {}", v, k);
    case GeneOp::kStoreRegister: return fmt::format("{} := {}", v, r);
    case GeneOp::kStoreRelease: return fmt::format("{} := {} (release)", v, k);
    case GeneOp::kStoreSequential: return fmt::format("{} := {} (sequential)", v, k);
    case GeneOp::kFullFence: return "fence";
    case GeneOp::kStoreFence: return "store-store fence";
    case GeneOp::kLock: return "lock";
    case GeneOp::kUnlock: return "unlock";
    case GeneOp::kLocked: return fmt::format("locked: the next {}", n);
    case GeneOp::kAtomic: return fmt::format("atomic: the next {}", n);
    case GeneOp::kExchange: return fmt::format("{} := exchange({}, {})", r, v, k);
    case GeneOp::kFetchAdd: return fmt::format("{} := fetch_add({}, {})", r, v, k);
    case GeneOp::kCompareExchange: return fmt::format("{} := compare_exchange({}, {} -> {})", r, v, s, k);
    case GeneOp::kBranch: return fmt::format("skip {} unless {} = {}", n, r, k);
    case GeneOp::kLoop: return fmt::format("back by {} if {} = {}", n + 1, r, k);
    case GeneOp::kAssign: return fmt::format("{} := {}", r, k);
    case GeneOp::kAssignSum: return fmt::format("{} := {} + {}", r, s, k);
    case GeneOp::kAssume: return fmt::format("assume {} = {}", r, k);
    case GeneOp::kAssert: return fmt::format("assert {} != {}", r, k);
    case GeneOp::kEither: return fmt::format("go on, or skip {}", n);
    case GeneOp::kChoose: return fmt::format("{} := any of 0 to {}", r, k);
    case GeneOp::kCall: return fmt::format("{} := helper({})", r, s);
    case GeneOp::kDivide: return fmt::format("{} := {} / {}", r, k, s);
    case GeneOp::kLoadIndirect: return fmt::format("{} := memory[{}]", r, s);
    case GeneOp::kStoreIndirect: return fmt::format("memory[{}] := {}", s, k);
  }
  return "?";
}

std::string describe_invariant(const Genome& genome, const InvariantGene& gene) {
  const std::string other =
      gene.over_register ? std::string("P0:r0") : variable_name(genome, gene.other_variable);
  return fmt::format("never {} = {} and {} = {}\n", variable_name(genome, gene.variable), gene.value, other,
                     gene.other_value);
}

}  // namespace

Program build(const Genome& genome) {
  Program program;
  program.name = "generated";
  program.open_memory = genome.open_memory;
  program.properties.deadlock = genome.deadlock;
  add_variables(program, genome);
  add_threads(program, genome);
  if (genome.invariant && !genome.threads.empty()) add_invariant(program, genome);
  return program;
}

std::string describe(const Genome& genome) {
  std::string text = genome.open_memory ? "open memory;" : "";
  for (std::size_t i = 0; i < genome.initial.size(); ++i)
    text += fmt::format(" {} = {}", variable_name(genome, i), genome.initial[i]);
  text += genome.deadlock ? "; never a deadlock\n" : "\n";
  if (genome.invariant) text += describe_invariant(genome, *genome.invariant);
  for (std::size_t t = 0; t < genome.threads.size(); ++t) {
    const ThreadGenes& thread = genome.threads[t];
    text += fmt::format("P{}:\n", t);
    for (std::size_t i = 0; i < thread.code.size(); ++i)
      text += fmt::format("  {}: {}\n", i, describe_gene(genome, thread.code[i]));
    if (thread.goal)
      text += fmt::format("  goal: r{} = {}\n", thread.goal->reg % kGenomeRegisters, thread.goal->value);
    if (thread.exclusive) text += fmt::format("  alone before {}\n", *thread.exclusive);
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const Genome& genome) { return out << '\n' << describe(genome); }

}  // namespace weir::test
