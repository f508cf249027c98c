#include "selfcheck/random/random_inputs.hpp"

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "check/array/machine.hpp"
#include "selfcheck/agreement/abstraction_agreement.hpp"
#include "selfcheck/agreement/agreement.hpp"
#include "selfcheck/agreement/axiomatic_agreement.hpp"
#include "selfcheck/agreement/dual_agreement.hpp"
#include "selfcheck/agreement/rewriting_agreement.hpp"
#include "selfcheck/agreement/robust_agreement.hpp"
#include "selfcheck/agreement/smc_agreement.hpp"
#include "selfcheck/random/array_generator.hpp"

namespace weir::selfcheck {

namespace {

// Of 40 inputs. Every second one of the delays is one past pointers, every second one of lazy has own cells.
constexpr std::array<std::uint8_t, kFamilies> kFamilyShares = {8, 6, 4, 4, 2, 5, 1, 1, 1, 7, 1, 0, 0};

// A comparison is made on one in so many inputs of each family; 0: on none.
struct Share {
  std::string_view comparison;
  std::array<std::uint8_t, kFamilies> one_in;
};

// clang-format off
constexpr std::array kShares = {
    //                        general execs robust lazy delay backward abstraction observer overlaps outcomes array pointers own
    Share{"explicit",        {    2,     8,     8,     8,     8,     8,     8,     8,    1,     8,     0,     4,     0}},
    Share{"schedules",       {   16,    32,     0,    32,    16,     0,     0,     8,    8,     0,     0,     16,     0}},
    Share{"lazy",            {    0,     0,     4,     1,     1,     0,     0,     4,    1,     4,     0,     1,     4}},
    Share{"rewriting",       {    2,     0,     0,     2,     0,     4,     0,     0,    2,     0,     0,     1,     1}},
    Share{"dual",            {   16,     0,     0,     8,     4,     1,     0,     8,    2,     0,     0,     0,     8}},
    Share{"abstraction",     {    0,     0,     0,     0,     4,     0,     1,     1,    0,     0,     0,     0,     0}},
    Share{"smc",             {    0,     1,    16,     0,     8,     0,     0,     8,    0,     8,     0,     0,     0}},
    Share{"values",          {    0,     3,    16,     0,    16,     0,     0,     8,    0,    16,     0,     0,     0}},
    Share{"races",           {    2,     2,     0,     0,     0,     0,     0,     0,    0,     0,     0,     0,     0}},
    Share{"robust",          {    0,    16,     1,    16,     2,     0,     0,     8,    0,    16,     0,     0,     0}},
    Share{"fence",           {    0,     0,     4,     0,     4,     0,     0,     0,    0,     0,     0,     0,     0}},
    Share{"outcomes",        {    4,     2,     2,     8,     4,     0,     0,     4,    0,     1,     0,     0,     0}},
    Share{"array",           {    0,     0,     0,     0,     0,     0,     0,     0,    0,     0,     1,     0,     0}},
    Share{"array-axioms",    {    0,     0,     0,     0,     0,     0,     0,     0,    0,     0,     8,     0,     0}},
};
// clang-format on

std::uint8_t one_in(std::string_view comparison, Family family) {
  const auto found = std::ranges::find(kShares, comparison, &Share::comparison);
  WEIR_CHECK(found != kShares.end(), "every comparison has its shares");
  return found->one_in[static_cast<std::size_t>(family)];
}

GeneratorShape overlap_shape_for(std::uint64_t seed) {
  GeneratorShape shape = shape_for(seed);
  shape.open_memory = shape.failures = false;
  shape.overlaps = true;
  shape.max_variables = static_cast<std::uint8_t>(1 + seed % 3);
  return shape;
}

// What has axioms.
GeneratorShape outcome_shape_for(std::uint64_t seed) {
  GeneratorShape shape;
  shape.max_instructions = 4;
  shape.locks = shape.atomic_blocks = shape.calls = shape.assertions = false;
  shape.goals = shape.exclusives = shape.invariants = shape.deadlocks = false;
  shape.extra.waiting_loads = shape.extra.awaited_values = shape.extra.more_updates = seed % 2 == 0;
  shape.extra.self = seed % 3 == 0;
  return shape;
}

// Each of two threads stores to its own variable and then looks at the other's; both want to see 0. Under SC
// that is impossible, unless something else writes 0; under TSO it needs a delay past what is in between.
Genome delay_genome(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto one_in = [&](std::uint64_t count) { return random() % count == 0; };
  Genome genome{.initial = {0, 0, 0}};
  for (std::uint8_t own : {0, 1}) {
    const auto other = static_cast<std::uint8_t>(1 - own);
    ThreadGenes thread;
    const auto add = [&](const InstructionGene& gene) { thread.code.push_back(gene); };
    if (one_in(3)) add({.op = GeneOp::kStore, .variable = 2, .value = 1});
    add({.op = GeneOp::kStore, .variable = own, .value = 1});
    if (one_in(3)) add({.op = GeneOp::kLoad, .variable = own, .reg = 1});
    if (one_in(3)) add({.op = GeneOp::kStore, .variable = 2, .value = 2});
    if (one_in(6)) add({.op = GeneOp::kFullFence});
    if (one_in(4)) add({.op = GeneOp::kLoad, .variable = 2, .reg = 1});
    add({.op = one_in(8) ? GeneOp::kFetchAdd : GeneOp::kLoad, .variable = other, .value = 0});
    if (one_in(4)) add({.op = GeneOp::kStore, .variable = own, .value = 0});
    thread.goal = GoalGene{.reg = 0, .value = 0};
    genome.threads.push_back(std::move(thread));
  }
  return genome;
}

// The same past what is harder to delay a store past: stores and loads through a pointer, which may lead into memory of
// the thread's own, into a block or nowhere; allocations; calls; loads that wait. Sometimes a thread waits for the other,
// for ever perhaps.
Genome pointer_genome(std::uint64_t seed) {
  constexpr std::array kOrigins = {GeneOp::kFrameAddress, GeneOp::kAllocate, GeneOp::kFetchPointer};
  constexpr std::array kBetween = {GeneOp::kStoreBlock, GeneOp::kStoreBlock,   GeneOp::kLoadBlock,
                                   GeneOp::kAllocate,   GeneOp::kStorePrivate, GeneOp::kPublish,
                                   GeneOp::kAwait,      GeneOp::kAwaitValue,   GeneOp::kStoreIndirect,
                                   GeneOp::kCall};
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t count) { return static_cast<std::uint8_t>(random() % count); };
  const auto one_in = [&](std::size_t count) { return below(count) == 0; };
  Genome genome{.initial = {0, 0, 0}};
  genome.deadlock = one_in(2);
  for (std::uint8_t own : {0, 1}) {
    const auto other = static_cast<std::uint8_t>(1 - own);
    ThreadGenes thread;
    const auto add = [&](const InstructionGene& gene) { thread.code.push_back(gene); };
    add({.op = kOrigins[below(kOrigins.size())], .variable = 1, .value = 1, .distance = 1});
    if (one_in(4)) add({.op = GeneOp::kPublish});
    if (one_in(4)) add({.op = GeneOp::kStoreBlock, .value = 2});
    add({.op = GeneOp::kStore, .variable = own, .value = 1});
    for (std::size_t left = below(3); left > 0; --left)
      add({.op = kBetween[below(kBetween.size())],
           .variable = own,
           .value = below(3),
           .reg = 1,
           .distance = below(2)});
    add({.op = one_in(6) ? GeneOp::kAwait : GeneOp::kLoad, .variable = other});
    if (one_in(3)) add({.op = GeneOp::kLoadBlock, .reg = 1});
    if (one_in(6)) add({.op = GeneOp::kFree, .value = 1});
    if (one_in(4)) add({.op = GeneOp::kStore, .variable = own, .value = 0});
    thread.goal = GoalGene{.reg = 0, .value = 0};
    genome.threads.push_back(std::move(thread));
  }
  return genome;
}

// Parts of programs that can be left out.
struct ProgramFeature {
  std::string_view name;
  void (*remove)(GeneratorShape&);
};

constexpr std::array kProgramFeatures = {
    ProgramFeature{"branches", [](GeneratorShape& s) { s.branches = s.assumptions = false; }},
    ProgramFeature{"loops", [](GeneratorShape& s) { s.loops = false; }},
    ProgramFeature{"atomics", [](GeneratorShape& s) { s.read_modify_writes = s.extra.more_updates = false; }},
    ProgramFeature{"blocks", [](GeneratorShape& s) { s.atomic_blocks = false; }},
    ProgramFeature{"fences", [](GeneratorShape& s) { s.fences = s.ordered_stores = false; }},
    ProgramFeature{"locks", [](GeneratorShape& s) { s.locks = false; }},
    ProgramFeature{"choices", [](GeneratorShape& s) { s.choices = s.nondeterminism = false; }},
    ProgramFeature{"calls", [](GeneratorShape& s) { s.calls = false; }},
    ProgramFeature{"failures", [](GeneratorShape& s) { s.failures = s.open_memory = false; }},
    ProgramFeature{"c", [](GeneratorShape& s) { s.extra = {}; }},
};

void limit(std::uint8_t& number, const std::optional<std::uint8_t>& most) {
  if (most) number = *most;
}

// As the user wants them.
GeneratorShape shaped(GeneratorShape shape, const InputOptions& options) {
  limit(shape.max_threads, options.threads);
  shape.min_threads = std::min(shape.min_threads, shape.max_threads);
  limit(shape.max_variables, options.variables);
  limit(shape.max_value, options.values);
  limit(shape.max_instructions, options.instructions);
  if (!options.features) return shape;
  for (const ProgramFeature& feature : kProgramFeatures)
    if (std::ranges::find(*options.features, feature.name) == options.features->end()) feature.remove(shape);
  return shape;
}

array::ArraySystem array_system(std::uint64_t seed) {
  if (seed % 8 == 0) return axiomatic_system(seed / 8);
  ArrayShape shape;
  shape.family = seed % 2 == 0 ? ArrayFamily::kOrdinary : ArrayFamily::kWeak;
  shape.numbers = seed % 5 == 0;
  shape.constant_processes = seed % 7 == 0;
  shape.universal_guards = seed % 3 != 0;
  array::ArraySystem system = random_array_system(seed, shape);
  // Constant processes come with a number of processes.
  if (seed % 4 == 1 && !system.number_of_processes)
    system.number_of_processes =
        std::max(array::least_processes(system), static_cast<std::uint32_t>(1 + seed / 4 % 3));
  return system;
}

Input make(Family family, std::uint64_t seed, const InputOptions& options) {
  const auto random = [&](const GeneratorShape& shape) {
    return random_genome(seed, shaped(shape, options));
  };
  switch (family) {
    case Family::kGeneral: return random(shape_for(seed));
    case Family::kExecutions: return smc_genome(seed, shaped(smc_shape_for(seed), options));
    case Family::kRobust: return random(robust_shape_for(seed));
    case Family::kLazy: return random(lazy_shape_for(seed));
    case Family::kDelay: return delay_genome(seed);
    case Family::kBackward: return random(dual_shape_for(seed));
    case Family::kAbstraction: return random(abstraction_shape_for(seed));
    case Family::kObserver: return observer_genome(seed);
    case Family::kOverlaps: return random(overlap_shape_for(seed));
    case Family::kOutcomes: return random(outcome_shape_for(seed));
    case Family::kArray: return array_system(seed);
    case Family::kPointers: return pointer_genome(seed);
    case Family::kOwnCells: return own_cell_genome(seed);
  }
  throw InternalError("a family without inputs");
}

}  // namespace

std::vector<std::string> feature_names() {
  std::vector<std::string> names;
  for (const ProgramFeature& feature : kProgramFeatures) names.emplace_back(feature.name);
  return names;
}

RandomInputs::RandomInputs(std::uint64_t seed, InputOptions options, std::vector<std::string> comparisons)
    : seed_(mix(seed, 1)), options_(std::move(options)), comparisons_(std::move(comparisons)) {
  for (std::size_t f = 0; f < kFamilies; ++f) {
    const auto family = static_cast<Family>(f);
    const bool has_a_form = family == Family::kDelay || family == Family::kObserver ||
                            family == Family::kPointers || family == Family::kOwnCells;
    if (suits(family) && !(has_a_form && options_.any()))
      families_.insert(families_.end(), kFamilyShares[f], family);
  }
  WEIR_CHECK(!families_.empty(), "every comparison has a family that suits it");
}

RandomInput RandomInputs::input(std::uint64_t number) const {
  const std::uint64_t chosen = mix(seed_, number);
  const Family drawn = families_[chosen % families_.size()];
  const Family family = mix(chosen, 4) % 2 == 0 ? relative_of(drawn) : drawn;
  return {family, mix(chosen, 2), make(family, mix(chosen, 3), options_)};
}

// A family that takes some of the inputs of another one.
Family RandomInputs::relative_of(Family family) const {
  if (family == Family::kDelay && suits(Family::kPointers)) return Family::kPointers;
  if (family == Family::kLazy && suits(Family::kOwnCells) && !options_.any()) return Family::kOwnCells;
  return family;
}

bool RandomInputs::suits(Family family) const {
  return std::ranges::any_of(kShares, [&](const Share& share) {
    return wanted(share.comparison) && one_in(share.comparison, family) > 0;
  });
}

bool RandomInputs::wanted(std::string_view comparison) const {
  return comparisons_.empty() || std::ranges::find(comparisons_, comparison) != comparisons_.end();
}

bool RandomInputs::compares(std::string_view comparison, const RandomInput& input) const {
  const std::uint8_t chances = one_in(comparison, input.family);
  if (!wanted(comparison) || chances == 0) return false;
  std::uint64_t draw = input.draw;
  for (const char letter : comparison) draw = mix(draw, static_cast<unsigned char>(letter));
  return !comparisons_.empty() || draw % chances == 0;
}

}  // namespace weir::selfcheck
