// One source of random genomes and one list of simplifications.
#include "selfcheck/random/program_generator.hpp"

#include <algorithm>
#include <ostream>
#include <random>
#include <utility>

namespace weir::selfcheck {

namespace {

constexpr std::uint8_t kMaxDistance = 2;

std::vector<GeneOp> allowed_ops(const GeneratorShape& shape) {
  std::vector<GeneOp> ops;
  const auto allow = [&](bool wanted, std::initializer_list<GeneOp> more) {
    if (!wanted) return;
    for (const GeneOp op : more) ops.push_back(op);
  };
  for (int weight = 0; weight < 4; ++weight) allow(true, {GeneOp::kLoad, GeneOp::kStore});
  allow(shape.register_stores, {GeneOp::kStoreRegister, GeneOp::kStoreRegister});
  allow(shape.fences, {GeneOp::kFullFence, GeneOp::kStoreFence});
  allow(shape.ordered_stores, {GeneOp::kStoreRelease, GeneOp::kStoreSequential});
  allow(shape.locks, {GeneOp::kLocked, GeneOp::kLocked, GeneOp::kLock, GeneOp::kUnlock});
  allow(shape.atomic_blocks, {GeneOp::kAtomic, GeneOp::kAtomic});
  allow(shape.read_modify_writes, {GeneOp::kExchange, GeneOp::kFetchAdd, GeneOp::kCompareExchange});
  allow(shape.branches, {GeneOp::kBranch, GeneOp::kBranch});
  allow(shape.loops, {GeneOp::kLoop, GeneOp::kLoop});
  allow(shape.assignments, {GeneOp::kAssign, GeneOp::kAssignSum});
  allow(shape.assumptions, {GeneOp::kAssume});
  allow(shape.assertions, {GeneOp::kAssert});
  allow(shape.nondeterminism, {GeneOp::kEither, GeneOp::kOneOfTwo});
  allow(shape.choices, {GeneOp::kChoose});
  allow(shape.calls, {GeneOp::kCall});
  allow(shape.failures, {GeneOp::kDivide, GeneOp::kLoadIndirect, GeneOp::kStoreIndirect});
  const ExtraFeatures& extra = shape.extra;
  allow(extra.private_memory,
        {GeneOp::kLoadPrivate, GeneOp::kStorePrivate, GeneOp::kStorePrivate, GeneOp::kStorePrivateWide,
         GeneOp::kUpdatePrivate, GeneOp::kFrameAddress, GeneOp::kCallSet, GeneOp::kCallLocal});
  allow(extra.blocks, {GeneOp::kAllocate, GeneOp::kAllocate, GeneOp::kLoadBlock, GeneOp::kStoreBlock,
                       GeneOp::kStoreBlock, GeneOp::kUpdateBlock});
  allow(extra.blocks && extra.frees, {GeneOp::kFree, GeneOp::kFree});
  allow(extra.published_blocks, {GeneOp::kPublish, GeneOp::kFetchPointer, GeneOp::kAwaitPointer});
  allow(extra.copies, {GeneOp::kCopyLoad, GeneOp::kCopyStore});
  allow(extra.copies && extra.blocks, {GeneOp::kCopyLoadBlock, GeneOp::kCopyStoreBlock});
  allow(extra.copies && extra.private_memory, {GeneOp::kCopyLoadPrivate, GeneOp::kCopyStorePrivate});
  allow(extra.waiting_loads, {GeneOp::kAwait, GeneOp::kAwait});
  allow(extra.awaited_values, {GeneOp::kAwaitValue, GeneOp::kAwaitValue});
  allow(extra.halts, {GeneOp::kHalt});
  allow(extra.stops, {GeneOp::kStop, GeneOp::kCallStop});
  allow(extra.self, {GeneOp::kSelf, GeneOp::kSelf});
  allow(extra.more_updates, {GeneOp::kUpdateOther, GeneOp::kUpdateOther});
  allow(extra.floats, {GeneOp::kFloat, GeneOp::kFloatCompare, GeneOp::kFloatBits});
  return ops;
}

class RandomGenome {
 public:
  RandomGenome(std::uint64_t seed, const GeneratorShape& shape)
      : random_(seed), shape_(shape), ops_(allowed_ops(shape)) {}

  Genome make() {
    Genome genome;
    genome.open_memory = shape_.open_memory && one_in(3);
    genome.initial.assign(shape_.max_variables - (shape_.max_variables > 2 && !one_in(3) ? 1 : 0), 0);
    for (std::uint8_t& value : genome.initial)
      if (one_in(4)) value = small_value();
    variables_ = genome.initial.size();
    const bool with_goal = shape_.goals && one_in(2);
    const bool with_exclusive = shape_.exclusives && one_in(3);
    const std::size_t threads = shape_.min_threads + below(shape_.max_threads - shape_.min_threads + 1);
    while (genome.threads.size() < threads) {
      const bool twin = !genome.threads.empty() && one_in(5);
      genome.threads.push_back(twin ? genome.threads.back() : thread(with_goal, with_exclusive));
    }
    if (shape_.invariants && one_in(3)) genome.invariant = invariant();
    genome.deadlock = shape_.deadlocks && one_in(3);
    add_extras(genome);
    if (shape_.overlaps) make_bytes(genome);
    if (shape_.several_goals && with_goal && one_in(2))
      genome.goals = one_in(2) ? GoalGrouping::kAnyTwo : GoalGrouping::kNeighbours;
    return genome;
  }

 private:
  ThreadGenes thread(bool with_goal, bool with_exclusive) {
    ThreadGenes genes;
    const std::size_t size = 1 + std::max(below(shape_.max_instructions), below(shape_.max_instructions));
    while (genes.code.size() < size) genes.code.push_back(instruction());
    if (size >= 2 && one_in(2)) plant_reordering(genes.code);
    if (with_goal) genes.goal = GoalGene{any_register(), small_value()};
    if (with_exclusive) genes.exclusive = below(size + 1);
    return genes;
  }

  void add_extras(Genome& genome) {
    const ExtraFeatures& extra = shape_.extra;
    genome.races = extra.races && one_in(2);
    genome.leaks = extra.leaks && one_in(2);
    genome.interleaved = extra.strides && one_in(2);
    if (extra.constants && one_in(2)) genome.constants = static_cast<std::uint8_t>(1 << below(variables_));
    if (extra.uninitialised && one_in(2))
      genome.uninitialised = static_cast<std::uint8_t>(1 << below(variables_));
    if (extra.blocks && one_in(2)) plant_block(genome);
    if (!extra.dormant_threads) return;
    for (ThreadGenes& thread : genome.threads) thread.dormant = one_in(3);
  }

  void make_bytes(Genome& genome) {
    genome.bytes = !genome.open_memory;
    for (ThreadGenes& thread : genome.threads)
      for (InstructionGene& gene : thread.code) gene.width = below(3);
  }

  // One thread allocates a block and uses it; if it can be published, another one uses it, too.
  void plant_block(Genome& genome) {
    const std::uint8_t pointer = any_register();
    const std::size_t owner = below(genome.threads.size());
    std::vector<GeneOp> ops = {GeneOp::kAllocate, GeneOp::kStoreBlock, GeneOp::kLoadBlock};
    if (shape_.extra.published_blocks) ops[1 + below(2)] = GeneOp::kPublish;
    if (shape_.extra.frees && one_in(2)) ops.push_back(GeneOp::kFree);
    plant(genome.threads[owner].code, ops, pointer);
    if (!shape_.extra.published_blocks || genome.threads.size() < 2) return;
    const GeneOp access = one_in(2) ? GeneOp::kLoadBlock : GeneOp::kStoreBlock;
    const GeneOp use = shape_.extra.frees && one_in(3) ? GeneOp::kFree : access;
    const GeneOp fetch = one_in(2) ? GeneOp::kAwaitPointer : GeneOp::kFetchPointer;
    plant(genome.threads[(owner + 1) % genome.threads.size()].code, {fetch, use}, pointer);
  }

  // At the start, as far as there is room.
  static void plant(std::vector<InstructionGene>& code, const std::vector<GeneOp>& ops,
                    std::uint8_t pointer) {
    for (std::size_t i = 0; i < std::min(code.size(), ops.size()); ++i) {
      code[i].op = ops[i];
      code[i].other = pointer;
    }
  }

  // A store and right behind it an access to another variable: this is where the memory models differ.
  void plant_reordering(std::vector<InstructionGene>& code) {
    const std::size_t place = below(code.size() - 1);
    code[place].op = GeneOp::kStore;
    code[place + 1].op = one_in(3) ? GeneOp::kStore : GeneOp::kLoad;
    code[place + 1].variable = static_cast<std::uint8_t>((code[place].variable + 1) % variables_);
  }

  InstructionGene instruction() {
    return {.op = ops_[below(ops_.size())],
            .variable = below(variables_),
            .value = small_value(),
            .reg = any_register(),
            .other = any_register(),
            .distance = below(kMaxDistance + 1),
            .plain = static_cast<std::uint8_t>(shape_.extra.plain && one_in(3))};
  }

  InvariantGene invariant() {
    return {.variable = below(variables_),
            .value = small_value(),
            .other_variable = below(variables_),
            .other_value = small_value(),
            .over_register = one_in(3)};
  }

  // Not std::uniform_int_distribution, whose results differ between libraries.
  std::uint8_t below(std::size_t bound) { return static_cast<std::uint8_t>(random_() % bound); }
  bool one_in(std::size_t chances) { return below(chances) == 0; }
  // Seldom 0, which is what registers and most variables hold anyway.
  std::uint8_t small_value() {
    return one_in(5) ? 0 : static_cast<std::uint8_t>(1 + below(shape_.max_value));
  }
  std::uint8_t any_register() { return below(kGenomeRegisters); }

  std::mt19937_64 random_;
  const GeneratorShape& shape_;
  std::vector<GeneOp> ops_;
  std::size_t variables_ = 1;
};

// Collects changed copies of a genome.
class GenomeSimplifier {
 public:
  explicit GenomeSimplifier(const Genome& genome) : genome_(genome) {}

  std::vector<Genome> all() {
    drop_threads();
    drop_instructions();
    drop_properties();
    drop_variables();
    for (std::size_t t = 0; t < genome_.threads.size(); ++t)
      for (std::size_t i = 0; i < genome_.threads[t].code.size(); ++i) simplify_instruction(t, i);
    for (std::size_t v = 0; v < genome_.initial.size(); ++v)
      lower([v](Genome& g) -> std::uint8_t& { return g.initial[v]; });
    return std::move(found_);
  }

 private:
  template <class Change>
  void add(Change change) {
    Genome simpler = genome_;
    change(simpler);
    if (simpler != genome_) found_.push_back(std::move(simpler));
  }

  // Sets a number to 0, and takes 1 from it.
  template <class Member>
  void lower(Member member) {
    add([&](Genome& g) { member(g) = 0; });
    add([&](Genome& g) {
      if (member(g) > 1) --member(g);
    });
  }

  void drop_threads() {
    if (genome_.threads.size() < 2) return;
    for (std::size_t t = 0; t < genome_.threads.size(); ++t)
      add([t](Genome& g) { g.threads.erase(g.threads.begin() + static_cast<std::ptrdiff_t>(t)); });
  }

  void drop_instructions() {
    for (std::size_t t = 0; t < genome_.threads.size(); ++t)
      for (std::size_t i = 0; i < genome_.threads[t].code.size(); ++i)
        add([t, i](Genome& g) {
          auto& code = g.threads[t].code;
          code.erase(code.begin() + static_cast<std::ptrdiff_t>(i));
        });
  }

  void drop_properties() {
    add([](Genome& g) { g.invariant.reset(); });
    add([](Genome& g) { g.deadlock = false; });
    add([](Genome& g) { g.open_memory = false; });
    add([](Genome& g) { g.bytes = false; });
    add([](Genome& g) { g.races = false; });
    add([](Genome& g) { g.leaks = false; });
    add([](Genome& g) { g.goals = GoalGrouping::kTogether; });
    add([](Genome& g) { g.interleaved = false; });
    for (std::size_t bit = 0; bit < 8; ++bit) {
      add([bit](Genome& g) { g.constants &= static_cast<std::uint8_t>(~(1 << bit)); });
      add([bit](Genome& g) { g.uninitialised &= static_cast<std::uint8_t>(~(1 << bit)); });
    }
    for (std::size_t t = 0; t < genome_.threads.size(); ++t) {
      add([t](Genome& g) { g.threads[t].goal.reset(); });
      add([t](Genome& g) { g.threads[t].exclusive.reset(); });
      add([t](Genome& g) { g.threads[t].dormant = false; });
    }
  }

  void drop_variables() {
    if (genome_.initial.size() < 2) return;
    for (std::size_t v = 0; v < genome_.initial.size(); ++v) add([v](Genome& g) { drop_variable(g, v); });
  }

  // The variables behind it move up; uses of it become uses of the one that takes its place.
  static void drop_variable(Genome& genome, std::size_t dropped) {
    const auto renumber = [&](std::uint8_t& variable) {
      if (variable > dropped) --variable;
    };
    genome.initial.erase(genome.initial.begin() + static_cast<std::ptrdiff_t>(dropped));
    for (ThreadGenes& thread : genome.threads)
      for (InstructionGene& gene : thread.code) renumber(gene.variable);
    if (!genome.invariant) return;
    renumber(genome.invariant->variable);
    renumber(genome.invariant->other_variable);
  }

  void simplify_instruction(std::size_t t, std::size_t i) {
    const auto lower_member = [&](std::uint8_t InstructionGene::*member) {
      lower([=](Genome& g) -> std::uint8_t& { return g.threads[t].code[i].*member; });
    };
    add([&](Genome& g) { g.threads[t].code[i].op = GeneOp::kNop; });
    lower_member(&InstructionGene::variable);
    lower_member(&InstructionGene::value);
    lower_member(&InstructionGene::reg);
    lower_member(&InstructionGene::other);
    lower_member(&InstructionGene::distance);
    lower_member(&InstructionGene::plain);
    lower_member(&InstructionGene::width);
  }

  const Genome& genome_;
  std::vector<Genome> found_;
};

}  // namespace

namespace {

struct Feature {
  bool ExtraFeatures::*member;
  std::string_view name;
};

constexpr Feature kFeatures[] = {{&ExtraFeatures::private_memory, "private_memory"},
                                 {&ExtraFeatures::blocks, "blocks"},
                                 {&ExtraFeatures::frees, "frees"},
                                 {&ExtraFeatures::published_blocks, "published_blocks"},
                                 {&ExtraFeatures::copies, "copies"},
                                 {&ExtraFeatures::uninitialised, "uninitialised"},
                                 {&ExtraFeatures::constants, "constants"},
                                 {&ExtraFeatures::strides, "strides"},
                                 {&ExtraFeatures::waiting_loads, "waiting_loads"},
                                 {&ExtraFeatures::halts, "halts"},
                                 {&ExtraFeatures::stops, "stops"},
                                 {&ExtraFeatures::self, "self"},
                                 {&ExtraFeatures::dormant_threads, "dormant_threads"},
                                 {&ExtraFeatures::more_updates, "more_updates"},
                                 {&ExtraFeatures::floats, "floats"},
                                 {&ExtraFeatures::plain, "plain"},
                                 {&ExtraFeatures::races, "races"},
                                 {&ExtraFeatures::leaks, "leaks"},
                                 {&ExtraFeatures::awaited_values, "awaited_values"}};
static_assert(sizeof(ExtraFeatures) == std::size(kFeatures));

}  // namespace

ExtraFeatures all_features() {
  ExtraFeatures features;
  for (const Feature& feature : kFeatures) features.*feature.member = true;
  return features;
}

std::string describe(const ExtraFeatures& features) {
  std::string words;
  for (const Feature& feature : kFeatures)
    if (features.*feature.member) words += std::string(words.empty() ? "" : " ") + std::string(feature.name);
  return words;
}

ExtraFeatures features_named(std::string_view words) {
  ExtraFeatures features;
  const std::string padded = " " + std::string(words) + " ";
  for (const Feature& feature : kFeatures)
    features.*feature.member = padded.find(" " + std::string(feature.name) + " ") != std::string::npos;
  return features;
}

ExtraFeatures some_features(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ExtraFeatures features;
  for (const Feature& feature : kFeatures) features.*feature.member = random() % 3 == 0;
  return features;
}

GeneratorShape plain_accesses() {
  GeneratorShape shape;
  shape.register_stores = shape.ordered_stores = shape.locks = shape.atomic_blocks = false;
  shape.read_modify_writes = shape.branches = shape.assignments = shape.assumptions = false;
  shape.assertions = shape.nondeterminism = shape.choices = shape.calls = false;
  shape.goals = shape.exclusives = shape.invariants = shape.deadlocks = false;
  return shape;
}

Genome random_genome(std::uint64_t seed, const GeneratorShape& shape) {
  return RandomGenome(seed, shape).make();
}

std::vector<Genome> simplifications(const Genome& genome) { return GenomeSimplifier(genome).all(); }

Genome shrink_failing(Genome genome, const std::function<bool(const Genome&)>& fails) {
  for (bool simpler_fails = true; simpler_fails;) {
    simpler_fails = false;
    for (Genome& simpler : simplifications(genome)) {
      if (!fails(simpler)) continue;
      genome = std::move(simpler);
      simpler_fails = true;
      break;
    }
  }
  return genome;
}

}  // namespace weir::selfcheck
