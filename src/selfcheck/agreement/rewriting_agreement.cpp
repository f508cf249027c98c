#include "selfcheck/agreement/rewriting_agreement.hpp"

#include <fmt/format.h>
#include <random>

#include "check/replay.hpp"
#include "engine/explicit/explicit.hpp"
#include "engine/rewriting/inlining.hpp"
#include "engine/rewriting/own_cells.hpp"
#include "selfcheck/random/program_generator.hpp"

namespace weir::selfcheck {

namespace {

constexpr std::uint32_t kBuffer = 3;
constexpr std::chrono::milliseconds kLongest(500);

Answer search(const Program& program, Model model) {
  Context context({.timeout = kLongest}, {}, /*handle_interrupt=*/false);
  return check_explicit(program, {.model = model, .buffer = kBuffer}, context);
}

// The first bound may be reached where the second is not: then one of the two is open.
bool contradict(Verdict one, Verdict other) {
  return one != other && one != Verdict::kUnknown && other != Verdict::kUnknown;
}

std::string problem(const char* what, const Program& program, const Answer& expected, const Answer& found,
                    const std::optional<Witness>& witness) {
  if (contradict(expected.verdict, found.verdict))
    return fmt::format("{}: {} ({}), the program itself: {} ({})", what, name(found.verdict), found.reason,
                       name(expected.verdict), expected.reason);
  if (!witness) return "";
  const ReplayResult replayed = replay(program, *witness);
  return replayed.reproduced || replayed.unsupported
             ? ""
             : fmt::format("{}: the witness does not replay: {}", what, replayed.failure);
}

std::string own_cells_problem(const Program& program, const InlinedProgram& inlined, const OwnCells& own,
                              const Answer& expected, RewritingComparisons& made) {
  Answer found = search(own.program(), Model::kTso);
  std::optional<Witness> witness;
  if (found.verdict == Verdict::kUnsafe) {
    witness = inlined.original_witness(own.original_witness(*found.witness));
    // An access to what is no cell any more, by an address that was computed.
    const bool to_cell = found.witness->violation.kind == ViolationKind::kMemory;
    if (to_cell && !replay(program, *witness).reproduced) return ++made.undecided, "";
  }
  ++(found.verdict == Verdict::kUnknown ? made.undecided : made.own_cells);
  return problem("with own cells as registers", program, expected, found, witness);
}

}  // namespace

std::string rewriting_disagreement(const Program& program, Model model, RewritingComparisons& made) {
  const InlinedProgram inlined(program);
  const OwnCells own(inlined.program());
  const bool calls = inlined.program().edges.size() > program.edges.size();
  const bool promotes = own.any() && model == Model::kTso;
  if (!calls && !promotes) return "";
  const Answer expected = search(program, model);
  if (calls) {
    const Answer found = search(inlined.program(), model);
    ++(found.verdict == Verdict::kUnknown ? made.undecided : made.inlined);
    std::optional<Witness> witness;
    if (found.witness) witness = inlined.original_witness(*found.witness);
    std::string differs = problem("inlined", program, expected, found, witness);
    if (!differs.empty()) return differs;
  }
  return promotes ? own_cells_problem(program, inlined, own, expected, made) : "";
}

Genome own_cell_genome(std::uint64_t seed) {
  GeneratorShape shape;
  shape.loops = true;
  shape.locks = false;
  shape.invariants = false;
  shape.failures = seed % 5 == 0;
  Genome genome = random_genome(seed, shape);
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t count) { return static_cast<std::uint8_t>(random() % count); };
  // Behind the others, the first of which is what functions read.
  const auto own = static_cast<std::uint8_t>(genome.initial.size());
  genome.initial.push_back(below(3));
  std::vector<InstructionGene>& code = genome.threads[below(genome.threads.size())].code;
  const auto insert = [&](InstructionGene gene) {
    code.insert(code.begin() + static_cast<std::ptrdiff_t>(below(code.size() + 1)), gene);
  };
  const std::uint8_t reg = below(kGenomeRegisters);
  if (below(2) == 0) insert({.op = GeneOp::kCall, .reg = reg, .other = below(kGenomeRegisters)});
  insert({.op = GeneOp::kLoad, .variable = own, .reg = below(kGenomeRegisters)});
  code.insert(code.begin(), {.op = GeneOp::kLoad, .variable = own, .reg = below(kGenomeRegisters)});
  insert({.op = below(2) == 0 ? GeneOp::kStore : GeneOp::kStoreRegister,
          .variable = own,
          .value = below(3),
          .reg = reg});
  insert({.op = GeneOp::kStoreRegister, .variable = own, .reg = below(kGenomeRegisters)});
  code.push_back({.op = GeneOp::kLoop, .value = below(3), .reg = reg, .distance = below(4)});
  return genome;
}

}  // namespace weir::selfcheck
