#include "selfcheck/agreement/smc_agreement.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "check/replay.hpp"
#include "engine/smc/smc.hpp"
#include "selfcheck/brute_force/execution_classes.hpp"
#include "selfcheck/random/program_generator.hpp"

namespace weir::selfcheck {

namespace {

const std::set<std::string>& classes(const ClassSets& sets, Equivalence equivalence) {
  switch (equivalence) {
    case Equivalence::kMazurkiewicz: return sets.mazurkiewicz;
    case Equivalence::kObservers: return sets.observers;
    default: return sets.reads_from;
  }
}

// How the engine's answer differs from what it should be.
std::string difference(const ExecutionClasses& expected, Equivalence equivalence, const SmcAnswer& answer,
                       const std::string& reported_twice) {
  if (!answer.complete) return "not complete: " + answer.reason;
  const std::size_t proper = classes(expected.proper, equivalence).size();
  const std::size_t blocked = classes(expected.blocked, equivalence).size();
  if (answer.traces != proper || answer.blocked != blocked)
    return fmt::format("{} executions end and {} block instead of {} and {}", answer.traces, answer.blocked,
                       proper, blocked);
  const std::size_t failing = classes(expected.failing, equivalence).size();
  if (answer.violating != failing)
    return fmt::format("{} executions with a violation instead of {}", answer.violating, failing);
  if (!reported_twice.empty()) return "reported twice:\n" + reported_twice;
  return {};
}

std::string problem_with_witness(const Program& program, const SmcAnswer& answer) {
  if (answer.violating == 0) return {};
  if (!answer.witness) return "a violation without a witness";
  const ReplayResult replayed = replay(program, *answer.witness);
  return replayed.reproduced ? "" : "the witness does not replay: " + replayed.failure;
}

std::string compare(const Program& program, Model model, Equivalence equivalence,
                    const ExecutionClasses& expected, SmcComparisons& made) {
  std::set<std::string> reported;
  std::string reported_twice;
  const auto report = [&](const std::string& execution) {
    if (!reported.insert(execution).second) reported_twice = execution;
  };
  Context context;
  SmcOptions options;
  options.model = model;
  options.equivalence = equivalence;
  options.executions = report;
  const SmcAnswer answer = explore_executions(program, options, context);
  if (answer.beyond_engine) return ++made.given_up, "";
  std::string problem = difference(expected, equivalence, answer, reported_twice);
  if (problem.empty()) problem = problem_with_witness(program, answer);
  return problem.empty() ? "" : fmt::format("{}: {}", name(equivalence), problem);
}

void count_comparison(SmcComparisons& made, const ExecutionClasses& expected) {
  ++made.compared;
  made.blocking += !expected.blocked.mazurkiewicz.empty();
  made.classes += expected.proper.mazurkiewicz.size() + expected.blocked.mazurkiewicz.size();
}

std::string compare(const Program& program, Model model, const ExecutionClasses& expected,
                    SmcComparisons& made) {
  const std::size_t before = made.given_up;
  for (const Equivalence equivalence :
       {Equivalence::kMazurkiewicz, Equivalence::kReadsFrom, Equivalence::kObservers})
    if (std::string problem = compare(program, model, equivalence, expected, made); !problem.empty())
      return problem;
  if (made.given_up == before) count_comparison(made, expected);
  return {};
}

// r0 := 0; do { up to two instructions of the thread; r0 := r0 + 1 } while (r0 = 1)
void plant_loop(ThreadGenes& thread, std::mt19937_64& random) {
  std::vector<InstructionGene>& code = thread.code;
  const std::size_t begin = random() % code.size();
  const std::size_t length = std::min<std::size_t>(1 + random() % 2, code.size() - begin);
  std::vector<InstructionGene> loop = {{.op = GeneOp::kAssign, .value = 0, .reg = 0}};
  for (std::size_t i = begin; i < begin + length; ++i) {
    loop.push_back(code[i]);
    loop.back().reg = 1;  // r0 counts the rounds
  }
  loop.push_back({.op = GeneOp::kAssignSum, .value = 1, .reg = 0, .other = 0});
  loop.push_back({.op = GeneOp::kLoop, .value = 1, .reg = 0, .distance = static_cast<std::uint8_t>(length)});
  const auto place = code.erase(code.begin() + static_cast<std::ptrdiff_t>(begin),
                                code.begin() + static_cast<std::ptrdiff_t>(begin + length));
  code.insert(place, loop.begin(), loop.end());
}

// Threads that others create, as in C: each but the first begins with a wait, and an earlier thread ends that
// somewhere by a store, mostly a sequentially consistent one. The variable may be used for other things, too.
void plant_creations(Genome& genome, std::mt19937_64& random) {
  for (std::size_t t = 1; t < genome.threads.size(); ++t) {
    const auto variable = static_cast<std::uint8_t>(random() % genome.initial.size());
    const std::uint8_t unborn = genome.initial[variable];
    ThreadGenes& created = genome.threads[t];
    created.dormant = random() % 2 == 0;
    created.code.insert(created.code.begin(),
                        {.op = GeneOp::kAwait, .variable = variable, .value = unborn, .reg = 1});
    std::vector<InstructionGene>& code = genome.threads[random() % t].code;
    const InstructionGene create = {.op = random() % 3 == 0 ? GeneOp::kStore : GeneOp::kStoreSequential,
                                    .variable = variable,
                                    .value = static_cast<std::uint8_t>(unborn == 0 ? 1 + random() % 2 : 0)};
    code.insert(code.begin() + static_cast<std::ptrdiff_t>(random() % (code.size() + 1)), create);
  }
}

// All threads meet: each takes 1 from a variable that begins with their number (two bits: 4 is 0) and waits until
// nobody is missing.
void plant_barrier(Genome& genome, std::mt19937_64& random) {
  const std::size_t threads = genome.threads.size();
  if (threads < 2 || threads > 4) return;
  const auto variable = static_cast<std::uint8_t>(random() % genome.initial.size());
  genome.initial[variable] = static_cast<std::uint8_t>(threads % 4);
  for (ThreadGenes& thread : genome.threads) {
    std::vector<InstructionGene> barrier = {
        {.op = GeneOp::kFetchAdd, .variable = variable, .value = 3, .reg = 1}};
    for (std::size_t missing = threads - 1; missing > 0; --missing)
      barrier.push_back({.op = GeneOp::kAwait,
                         .variable = variable,
                         .value = static_cast<std::uint8_t>(missing),
                         .reg = 1});
    const auto place = static_cast<std::ptrdiff_t>(random() % (thread.code.size() + 1));
    thread.code.insert(thread.code.begin() + place, barrier.begin(), barrier.end());
  }
}

// A lock as a spin lock or a reader makes it, for two threads: what it takes is given back if it came too late, and
// it tries again, twice in all. Whether the last round may fail, too, is random.
void plant_retries(Genome& genome, std::mt19937_64& random) {
  const auto variable = static_cast<std::uint8_t>(random() % genome.initial.size());
  const bool backs_out = random() % 2 == 0, gives_up = random() % 2 == 0;
  for (std::size_t t = 0; t < std::min<std::size_t>(2, genome.threads.size()); ++t) {
    std::vector<InstructionGene> code;
    const auto add = [&](const InstructionGene& gene) { code.push_back(gene); };
    for (int round = 0; round < 2; ++round) {
      const std::uint8_t skipped = round == 0 ? 0 : backs_out ? 2 : 1;
      if (skipped > 0) add({.op = GeneOp::kBranch, .value = 1, .reg = 0, .distance = skipped});
      if (round > 0 && backs_out) add({.op = GeneOp::kFetchAdd, .variable = variable, .value = 3, .reg = 1});
      add(backs_out ? InstructionGene{.op = GeneOp::kFetchAdd, .variable = variable, .value = 1, .reg = 0}
                    : InstructionGene{.op = GeneOp::kExchange, .variable = variable, .value = 1, .reg = 0});
    }
    if (!gives_up) add({.op = GeneOp::kAssume, .value = genome.initial[variable], .reg = 0});
    if (random() % 2 == 0)
      add(backs_out ? InstructionGene{.op = GeneOp::kFetchAdd, .variable = variable, .value = 3, .reg = 1}
                    : InstructionGene{.op = GeneOp::kStore, .variable = variable, .value = 0});
    std::vector<InstructionGene>& all = genome.threads[t].code;
    const auto place = static_cast<std::ptrdiff_t>(random() % (all.size() + 1));
    all.insert(all.begin() + place, code.begin(), code.end());
  }
}

}  // namespace

std::string smc_disagreement(const Program& program, Model model, SmcComparisons* made,
                             const ExecutionLimits& limits) {
  SmcComparisons unused;
  SmcComparisons& counts = made != nullptr ? *made : unused;
  const ExecutionClasses expected = execution_classes(program, model, limits);
  if (expected.too_large) {
    ++counts.too_large;
    return {};
  }
  try {
    return compare(program, model, expected, counts);
  } catch (const InternalError& error) {
    return error.what();
  }
}

GeneratorShape smc_shape_for(std::uint64_t seed) {
  GeneratorShape shape;
  shape.max_threads = seed % 3 == 0 ? 2 : 3;
  shape.max_instructions = seed % 3 == 0 ? 6 : seed % 3 == 1 ? 5 : 4;
  shape.max_variables = seed % 2 == 0 ? 2 : 3;
  shape.locks = seed % 6 == 5;
  shape.nondeterminism = seed % 8 == 4;
  shape.goals = shape.exclusives = shape.invariants = shape.deadlocks = false;
  shape.assumptions = seed % 4 == 1;
  shape.assertions = seed % 4 == 2;
  shape.choices = seed % 8 == 3;
  shape.calls = seed % 8 == 7;
  shape.extra.waiting_loads = seed % 4 < 2;
  shape.extra.more_updates = seed % 5 == 2;
  shape.extra.stops = seed % 7 == 3;
  shape.extra.halts = seed % 14 == 8;
  shape.extra.self = seed % 7 == 4;
  shape.extra.constants = seed % 7 == 5;
  shape.extra.uninitialised = seed % 14 == 1;
  shape.extra.private_memory = seed % 14 == 6;
  shape.extra.dormant_threads = seed % 14 == 13;
  shape.extra.plain = shape.extra.races = seed % 3 == 1;
  if (seed % 9 == 7) {  // many threads that do little
    shape.min_threads = 4;
    shape.max_threads = 5;
    shape.max_instructions = 2;
  }
  return shape;
}

Genome smc_genome(std::uint64_t seed, const GeneratorShape& shape) {
  Genome genome = random_genome(seed, shape);
  std::mt19937_64 random(seed);
  if (random() % 3 == 0) plant_loop(genome.threads[random() % genome.threads.size()], random);
  if (random() % 8 == 0 && shape.read_modify_writes) plant_barrier(genome, random);
  if (random() % 8 == 0 && shape.read_modify_writes) plant_retries(genome, random);
  if (random() % 4 == 0) plant_creations(genome, random);
  return genome;
}

Genome smc_genome(std::uint64_t seed) { return smc_genome(seed, smc_shape_for(seed)); }

}  // namespace weir::selfcheck
