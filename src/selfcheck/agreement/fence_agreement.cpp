#include "selfcheck/agreement/fence_agreement.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/hash.hpp"
#include "check/fence_sets.hpp"
#include "check/replay.hpp"
#include "engine/explicit/explicit.hpp"
#include "engine/robust/fences/fence.hpp"
#include "engine/robust/parameterized.hpp"
#include "program/fences.hpp"
#include "program/instances.hpp"

namespace weir::selfcheck {

namespace {

constexpr std::size_t kMostLocations = 12;
constexpr std::uint32_t kMostCopies = 4;
constexpr std::chrono::milliseconds kLongestSearch(2'000);
constexpr std::uint64_t kMostDraws = 400;
constexpr std::size_t kMostCheaperSets = 600;

using FenceSets = std::vector<std::vector<LocationId>>;

std::function<double(LocationId)> by_location(const std::vector<double>& costs) {
  return [&costs](LocationId at) { return costs[at.index()]; };
}

double total(const std::vector<LocationId>& fences, const std::vector<double>& costs) {
  double sum = 0;
  for (const LocationId fence : fences) sum += costs[fence.index()];
  return sum;
}

std::string needs_problem(const FenceAnswer& answer) {
  if (answer.needs.size() != answer.fences.size()) return "not every fence is said to be needed";
  for (const FenceNeed& need : answer.needs) {
    const ReplayResult replayed = replay(need.program, need.witness);
    if (!replayed.reproduced) return "without a fence: " + replayed.failure;
  }
  return "";
}

void count_answer(const FenceAnswer& answer, FenceComparisons& made) {
  made.with_fences += answer.verdict == FenceVerdict::kFound && !answer.fences.empty();
  made.impossible += answer.verdict == FenceVerdict::kImpossible;
}

// Are these the cheapest sets? `expected`: by brute force; sets of infinite cost stand for none.
std::string sets_problem(const FenceAnswer& answer, const FenceSets& expected,
                         const std::vector<double>& costs) {
  if (expected.empty() || !std::isfinite(total(expected[0], costs)))
    return answer.verdict == FenceVerdict::kImpossible ? "" : "fences are found where none can help";
  if (answer.verdict != FenceVerdict::kFound) return "no fences found: " + answer.reason;
  FenceSets found = answer.alternatives;
  found.push_back(answer.fences);
  std::ranges::sort(found);
  if (found != expected)
    return fmt::format("{} cheapest sets of cost {} instead of {} of cost {}", found.size(), answer.cost,
                       expected.size(), total(expected[0], costs));
  return needs_problem(answer);
}

std::string compare(const Program& program, FenceOptions options, const FenceSets& expected,
                    FenceComparisons* made) {
  options.alternatives = expected.size() + 1;
  Context context;
  const FenceAnswer answer = place_fences(program, options, context);
  if (made != nullptr) count_answer(answer, *made);
  if (answer.verdict == FenceVerdict::kUnknown && program.byte_memory) return "";
  return sets_problem(answer, expected, options.cost);
}

std::optional<FenceSets> cheapest_sets_by_search(const Program& program, const std::vector<double>& costs) {
  return cheapest_fence_sets(
      fence_locations(program), by_location(costs), [&](const std::vector<LocationId>& fences) {
        Context context(Limits{.timeout = kLongestSearch}, {}, /*handle_interrupt=*/false);
        switch (check_robust(with_fences(program, fences), {}, context).verdict) {
          case RobustVerdict::kRobust: return FencesVerdict::kEnough;
          case RobustVerdict::kNotRobust: return FencesVerdict::kNotEnough;
          case RobustVerdict::kUnknown: break;
        }
        return FencesVerdict::kTooLarge;
      });
}

// Is there an execution, of some instance with these fences, that the reference machine does, too?
std::string refutation_problem(const Program& program, const std::vector<LocationId>& fences) {
  Context context;
  const ParameterizedAnswer answer = check_robust_any(with_fences(program, fences), {}, context);
  if (answer.verdict != RobustVerdict::kNotRobust) return "any number: a cheaper set is enough";
  for (const AttackResult& attack : answer.attack.attacks)
    if (attack.witness && !replay(answer.instance, *attack.witness).reproduced)
      return "any number: what refutes a cheaper set does not replay";
  return "";
}

std::string cheaper_sets_problem(const Program& program, const FenceAnswer& answer,
                                 const std::vector<double>& costs) {
  std::size_t tried = 0;
  for (const PricedFences& set : fence_sets_by_cost(fence_locations(program), by_location(costs))) {
    if (!std::isfinite(set.cost) || ++tried > kMostCheaperSets) break;
    if (answer.verdict == FenceVerdict::kFound && !dearer(answer.cost, set.cost)) break;
    if (std::string problem = refutation_problem(program, set.fences); !problem.empty()) return problem;
  }
  return "";
}

GeneratorShape template_shape_for(std::uint64_t seed) {
  GeneratorShape shape = plain_accesses();
  shape.min_threads = 1;
  shape.max_threads = 2;
  shape.max_instructions = 3 + seed % 3;
  shape.max_variables = 2;
  shape.max_value = 1;
  shape.locks = seed % 6 == 0;
  shape.atomic_blocks = seed % 6 == 1;
  shape.read_modify_writes = seed % 6 == 2;
  shape.branches = shape.nondeterminism = seed % 6 == 3;
  shape.register_stores = shape.assumptions = seed % 6 == 4;
  shape.loops = shape.ordered_stores = seed % 6 == 5;
  return shape;
}

GeneratorShape safety_shape_for(std::uint64_t seed) {
  GeneratorShape shape = plain_accesses();
  shape.goals = shape.exclusives = shape.invariants = true;
  shape.assumptions = shape.assertions = true;
  shape.max_threads = 2;
  shape.max_instructions = 6;
  shape.max_variables = 2;
  shape.max_value = 1;
  shape.atomic_blocks = seed % 2 == 0;
  shape.locks = seed % 4 == 1;
  shape.read_modify_writes = seed % 4 == 3;
  shape.ordered_stores = seed % 8 == 7;
  return shape;
}

Genome first_draw(std::uint64_t seed, const GeneratorShape& shape,
                  const std::function<bool(const Program&)>& wanted) {
  Genome genome = random_genome(mix(seed, 0), shape);
  for (std::uint64_t draw = 1; draw < kMostDraws && !wanted(build(genome)); ++draw)
    genome = random_genome(mix(seed, draw), shape);
  return genome;
}

}  // namespace

FenceComparisons& FenceComparisons::operator+=(const FenceComparisons& other) {
  robust += other.robust;
  any_number += other.any_number;
  safe += other.safe;
  by_search += other.by_search;
  with_fences += other.with_fences;
  impossible += other.impossible;
  undecided += other.undecided;
  too_large += other.too_large;
  return *this;
}

std::vector<double> drawn_costs(const Program& program, std::uint64_t seed) {
  static constexpr std::array kCosts = {1.0, 1.0, 1.5, 2.0, 2.5, 3.0, 7.25};
  std::vector<double> costs = unit_costs(program);
  if (seed == 0) return costs;
  for (std::size_t l = 0; l < costs.size(); ++l) {
    const std::uint64_t draw = mix(seed, l);
    costs[l] *= draw % 16 == 0 ? std::numeric_limits<double>::infinity() : kCosts[draw / 16 % kCosts.size()];
  }
  return costs;
}

std::string fence_disagreement(const Program& program, std::uint64_t seed, FenceComparisons* made,
                               std::size_t most_steps) {
  if (accesses_released_memory(program)) return "";
  const std::vector<double> costs = drawn_costs(program, seed);
  const auto expected = cheapest_fence_sets(
      program, by_location(costs), {.locations = kMostLocations, .traces = {.computations = most_steps}});
  if (made != nullptr) ++(expected ? made->robust : made->too_large);
  return expected ? compare(program, {.cost = costs}, *expected, made) : "";
}

std::string copies_fence_disagreement(const Program& program, std::uint32_t copies, std::uint64_t seed,
                                      FenceComparisons* made, std::size_t most_steps) {
  const std::vector<double> costs = drawn_costs(program, seed);
  const Program instance = with_instances(program, copies);
  auto expected = cheapest_fence_sets(instance, by_location(costs),
                                      {.locations = kMostLocations, .traces = {.computations = most_steps}});
  if (!expected && fence_locations(program).size() <= kMostLocations) {
    expected = cheapest_sets_by_search(instance, costs);
    if (made != nullptr && expected) ++made->by_search;
  }
  if (made != nullptr) ++(expected ? made->robust : made->too_large);
  if (!expected) return "";
  const std::string problem = compare(program, {.cost = costs, .copies = copies}, *expected, made);
  return problem.empty() ? "" : fmt::format("{} copies: {}", copies, problem);
}

std::string any_fence_disagreement(const Program& program, std::uint64_t seed, FenceComparisons* made,
                                   std::size_t most_steps) {
  const std::vector<double> costs = drawn_costs(program, seed);
  Context context;
  const FenceAnswer answer = place_fences(program, {.cost = costs, .any_number = true}, context);
  if (made != nullptr) {
    ++(answer.verdict == FenceVerdict::kUnknown ? made->undecided : made->any_number);
    count_answer(answer, *made);
  }
  if (answer.verdict == FenceVerdict::kUnknown) return "";
  if (answer.verdict == FenceVerdict::kFound) {
    const Program fenced = with_fences(program, answer.fences);
    for (std::uint32_t copies = 1; copies <= kMostCopies; ++copies)
      if (compare_traces(with_instances(fenced, copies), {.computations = most_steps}) ==
          BruteForceVerdict::kNotRobust)
        return fmt::format("any number: not enough for {} copies", copies);
    if (std::string problem = needs_problem(answer); !problem.empty()) return "any number: " + problem;
  }
  return cheaper_sets_problem(program, answer, costs);
}

std::string safety_fence_disagreement(const Program& program, Model model, std::uint64_t seed,
                                      FenceComparisons* made, std::size_t most_states) {
  const std::vector<double> costs = drawn_costs(program, seed);
  const auto expected =
      cheapest_safe_fence_sets(program, model, by_location(costs), kMostLocations, {.states = most_states});
  if (made != nullptr) ++(expected ? made->safe : made->too_large);
  if (!expected) return "";
  const std::string problem =
      compare(program, {.purpose = FencePurpose::kSafety, .model = model, .cost = costs}, *expected, made);
  return problem.empty() ? "" : fmt::format("safety under {}: {}", name(model), problem);
}

Genome template_for(std::uint64_t seed) {
  return first_draw(seed, template_shape_for(seed), [](const Program& program) {
    Context context;
    return check_robust(with_instances(program, 2), {}, context).verdict == RobustVerdict::kNotRobust;
  });
}

Genome unsafe_program_for(std::uint64_t seed, Model model) {
  return first_draw(seed, safety_shape_for(seed), [&](const Program& program) {
    Context context;
    return check_explicit(program, {.model = model}, context).verdict == Verdict::kUnsafe &&
           check_explicit(program, {.model = Model::kSc}, context).verdict == Verdict::kSafe;
  });
}

}  // namespace weir::selfcheck
