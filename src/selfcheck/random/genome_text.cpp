// From genomes to text.
#include "selfcheck/random/genome_text.hpp"

#include <fmt/format.h>
#include <ostream>

namespace weir::selfcheck {

namespace {

std::string register_name(std::uint8_t index) { return fmt::format("r{}", index % kGenomeRegisters); }

std::string describe_memory_gene(const Genome& genome, const InstructionGene& g) {
  const std::string v = variable_name(genome, g.variable);
  const std::string r = register_name(g.reg);
  const std::string byte = fmt::format("a[{}]", register_name(g.other));
  const std::string p = fmt::format("p{}", g.other % 2);
  const std::string cell = fmt::format("{}[{}]", p, g.distance % 2);
  const std::string other_cell = fmt::format("p{}[{}]", (g.other + 1) % 2, g.distance % 2);
  const int k = g.value;
  switch (g.op) {
    case GeneOp::kLoadPrivate: return fmt::format("{} := {}", r, byte);
    case GeneOp::kStorePrivate: return fmt::format("{} := {}", byte, k);
    case GeneOp::kStorePrivateWide: return fmt::format("{} := {}, {} (two bytes)", byte, k, 3 - (k & 3));
    case GeneOp::kUpdatePrivate: return fmt::format("{} := fetch_add({}, {})", r, byte, k);
    case GeneOp::kFrameAddress: return fmt::format("{} := &a[{}]", p, g.distance);
    case GeneOp::kCallSet: return fmt::format("set({})", p);
    case GeneOp::kCallLocal: return fmt::format("{} := local()", p);
    case GeneOp::kAllocate:
      return fmt::format("{} := allocate {} {}", p,
                         k == 0                ? "stack"
                         : g.variable % 2 == 0 ? "heap"
                                               : "zeroed",
                         g.distance + 1);
    case GeneOp::kFree: return fmt::format("free {} {}", k == 0 ? "stack" : "heap", p);
    case GeneOp::kLoadBlock: return fmt::format("{} := {}", r, cell);
    case GeneOp::kStoreBlock: return fmt::format("{} := {}", cell, k);
    case GeneOp::kUpdateBlock: return fmt::format("{} := fetch_add({}, {})", r, cell, k);
    case GeneOp::kPublish: return fmt::format("ptr := {}{}", p, k == 1 ? " (release)" : "");
    case GeneOp::kFetchPointer: return fmt::format("{} := ptr", p);
    case GeneOp::kAwaitPointer: return fmt::format("{} := ptr once not 0", p);
    case GeneOp::kCopyLoad: return fmt::format("{} := {} (copies)", p, v);
    case GeneOp::kCopyStore: return fmt::format("{} := {} (copies)", v, p);
    case GeneOp::kCopyLoadBlock: return fmt::format("{} := {} (copies)", p, other_cell);
    case GeneOp::kCopyStoreBlock: return fmt::format("{} := {} (copies)", other_cell, p);
    case GeneOp::kCopyLoadPrivate: return fmt::format("{} := {} (copies)", p, byte);
    case GeneOp::kCopyStorePrivate: return fmt::format("{} := {} (copies)", byte, p);
    default: return "?";
  }
}

std::string describe_gene(const Genome& genome, const InstructionGene& g) {
  const std::string v = variable_name(genome, g.variable);
  const std::string r = register_name(g.reg);
  const std::string s = register_name(g.other);
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
    case GeneOp::kOneOfTwo: return "one of the next two";
    case GeneOp::kChoose: return fmt::format("{} := any of 0 to {}", r, k);
    case GeneOp::kCall: return fmt::format("{} := helper({})", r, s);
    case GeneOp::kDivide: return fmt::format("{} := {} / {}", r, k, s);
    case GeneOp::kLoadIndirect: return fmt::format("{} := memory[{}]", r, s);
    case GeneOp::kStoreIndirect: return fmt::format("memory[{}] := {}", s, k);
    case GeneOp::kAwait: return fmt::format("{} := {} once not {}", r, v, k);
    case GeneOp::kAwaitValue: return fmt::format("{} := {} once {}", r, v, k);
    case GeneOp::kHalt: return g.value == 1 ? "halt wait" : "halt";
    case GeneOp::kStop: return "stop";
    case GeneOp::kCallStop: return fmt::format("stop in a call if {} = 0", s);
    case GeneOp::kSelf: return fmt::format("{} := self", r);
    case GeneOp::kUpdateOther: return fmt::format("{} := update {} of {} with {}", r, (k + n) % 5, v, s);
    case GeneOp::kFloat: return fmt::format("{} := float({} op{} {})", r, s, (g.variable + n) % 5, k);
    case GeneOp::kFloatCompare: return fmt::format("{} := float({} compare{} {}/0)", r, s, n % 4, k);
    case GeneOp::kFloatBits:
      return fmt::format("{} := bits of float({} op{} {})", r, s, (g.variable + n) % 5, k);
    default: return describe_memory_gene(genome, g);
  }
}

std::string describe_invariant(const Genome& genome, const InvariantGene& gene) {
  const std::string other =
      gene.over_register ? std::string("P0:r0") : variable_name(genome, gene.other_variable);
  return fmt::format("never {} = {} and {} = {}\n", variable_name(genome, gene.variable), gene.value, other,
                     gene.other_value);
}

}  // namespace

std::string variable_name(const Genome& genome, std::size_t variable) {
  static constexpr char kNames[] = "xyzuvw";
  const std::size_t index = variable % genome.initial.size();
  return index < 6 ? std::string(1, kNames[index]) : fmt::format("v{}", index);
}

std::string describe(const Genome& genome) {
  std::string text = genome.open_memory ? "open memory;" : genome.bytes ? "bytes;" : "";
  for (std::size_t i = 0; i < genome.initial.size(); ++i)
    text += fmt::format(" {} = {}", variable_name(genome, i), genome.initial[i]);
  text += genome.deadlock ? "; never a deadlock" : "";
  text += genome.races ? "; no races" : "";
  text += genome.leaks ? "; no leaks" : "";
  if (genome.goals == GoalGrouping::kAnyTwo) text += "; any two goals";
  if (genome.goals == GoalGrouping::kNeighbours) text += "; neighbouring goals";
  text += genome.interleaved ? "; interleaved" : "";
  if (genome.constants != 0) text += fmt::format("; constants {:b}", genome.constants);
  if (genome.uninitialised != 0) text += fmt::format("; uninitialised {:b}", genome.uninitialised);
  text += "\n";
  if (genome.invariant) text += describe_invariant(genome, *genome.invariant);
  for (std::size_t t = 0; t < genome.threads.size(); ++t) {
    const ThreadGenes& thread = genome.threads[t];
    text += fmt::format("P{}{}:\n", t, thread.dormant ? " (dormant)" : "");
    for (std::size_t i = 0; i < thread.code.size(); ++i)
      text += fmt::format("  {}: {}{}{}\n", i, describe_gene(genome, thread.code[i]),
                          genome.bytes ? fmt::format(" ({} bytes)", 1 << thread.code[i].width % 3) : "",
                          thread.code[i].plain != 0 ? " (plain)" : "");
    if (thread.goal)
      text += fmt::format("  goal: r{} = {}\n", thread.goal->reg % kGenomeRegisters, thread.goal->value);
    if (thread.exclusive) text += fmt::format("  alone before {}\n", *thread.exclusive);
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const Genome& genome) { return out << '\n' << describe(genome); }

}  // namespace weir::selfcheck
