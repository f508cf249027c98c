#include "engine/robust/fences/fence.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "engine/explicit/explicit.hpp"
#include "engine/robust/delay_graph.hpp"
#include "engine/robust/fences/hitting_set.hpp"
#include "engine/robust/parameterized.hpp"
#include "program/address.hpp"
#include "program/fences.hpp"
#include "program/instances.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

// What a check of the program with some fences found.
struct Finding {
  enum class Kind : std::uint8_t { kGood, kBad, kUnknown } kind = Kind::kUnknown;
  std::vector<std::vector<std::uint32_t>> sets;  // bad: each must be hit
  std::optional<Witness> witness;                // bad: of the fenced program, or of the original one
  std::size_t instance = 0;                      // bad: in which one
  std::string reason;                            // unknown, or bad and impossible to stop
};

bool enters_buffer(const Program& program, const Instruction& instruction, const WitnessStep& step) {
  if (instruction.op == Opcode::kFree) return step.address != 0 && instruction.block != BlockKind::kStack;
  const bool is_private = !program.open_memory && address_kind(step.address) == AddressKind::kPrivate;
  return instruction.op == Opcode::kStore && !is_private && !waits_for_empty_buffer(instruction);
}

// The locations that threads leave with a store in their buffer. Edges of the original program keep their
// numbers when fences are put in.
std::vector<std::uint32_t> left_while_buffering(const Program& original, const Witness& witness) {
  std::vector<std::size_t> buffered(original.threads.size());
  std::vector<std::uint32_t> locations;
  bool in_block = false;
  for (const WitnessStep& step : witness.steps) {
    std::size_t& pending = buffered[step.thread.index()];
    if (step.kind == WitnessStep::Kind::kFlush) {
      --pending;
      continue;
    }
    if (step.edge.index() >= original.edges.size()) continue;  // a fence that was put in
    const Edge& edge = original.edge(step.edge);
    if (pending > 0) locations.push_back(edge.source.index());
    if (edge.instruction.op == Opcode::kAtomicBegin) in_block = true;
    if (edge.instruction.op == Opcode::kAtomicEnd) in_block = false;
    if (enters_buffer(original, edge.instruction, step) && !in_block) ++pending;
  }
  std::ranges::sort(locations);
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
  return locations;
}

class FencePlacement {
 public:
  FencePlacement(const Program& program, const FenceOptions& options, Context& context)
      : program_(program), options_(options), context_(context) {
    if (!options.any_number) instances_.push_back(instance(program, options));
    problem_.cost = options.cost;
    problem_.preference = preferences(program);
    join_places();
  }

  FenceAnswer run() {
    if (find_cheapest()) {
      find_alternatives();
      show_needs();
    }
    answer_.statistics.set("iterations", iterations_);
    answer_.statistics.set("states", states_);
    answer_.statistics.set("sets_to_hit", std::uint64_t{problem_.sets.size()});
    return std::move(answer_);
  }

 private:
  // People put fences behind stores; and let the choice not depend on the solver.
  static std::vector<double> preferences(const Program& program) {
    std::vector<double> result(program.locations.size(), 1.0);
    for (const Edge& edge : program.edges)
      if (edge.instruction.op == Opcode::kStore) result[edge.target.index()] = 0.0;
    for (std::size_t l = 0; l < result.size(); ++l)
      result[l] += 1e-3 * static_cast<double>(l) / static_cast<double>(result.size());
    return result;
  }

  // Only the first location of a place is chosen.
  void join_places() {
    for (std::size_t l = 0; l < options_.place.size(); ++l) {
      const std::size_t first = options_.place[l].index();
      if (first == l) continue;
      problem_.cost[first] = std::max(problem_.cost[first], problem_.cost[l]);
      problem_.preference[first] = std::min(problem_.preference[first], problem_.preference[l]);
      problem_.cost[l] = std::numeric_limits<double>::infinity();
    }
  }

  void add_set(std::vector<std::uint32_t> set) {
    if (!options_.place.empty())
      for (std::uint32_t& location : set) location = options_.place[location].index();
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
    problem_.sets.push_back(std::move(set));
  }

  static std::vector<LocationId> locations(const std::vector<std::uint32_t>& chosen) {
    std::vector<LocationId> result;
    for (const std::uint32_t location : chosen) result.push_back(LocationId(location));
    return result;
  }

  double cost_of(const std::vector<std::uint32_t>& chosen) const {
    return std::accumulate(chosen.begin(), chosen.end(), 0.0,
                           [&](double sum, std::uint32_t l) { return sum + problem_.cost[l]; });
  }

  // The cheapest set that hits everything known and leaves nothing bad; nothing if there is none, or if a
  // limit was reached.
  std::optional<std::vector<std::uint32_t>> next_valid(std::optional<double> most_cost) {
    for (;;) {
      const auto chosen = cheapest_hitting_set(problem_);
      if (!chosen) {
        answer_.verdict = FenceVerdict::kImpossible;
        return std::nullopt;
      }
      if (most_cost && cost_of(*chosen) > *most_cost + 1e-6) return std::nullopt;
      ++iterations_;
      const Finding finding = check(all_at_places(options_, locations(*chosen)));
      if (finding.kind == Finding::Kind::kGood) return chosen;
      answer_.reason = finding.reason;
      if (finding.kind == Finding::Kind::kUnknown) return std::nullopt;
      last_witness_ = finding.witness;
      last_instance_ = finding.instance;
      for (const auto& set : finding.sets) add_set(set);
    }
  }

  bool find_cheapest() {
    const auto chosen = next_valid(std::nullopt);
    if (!chosen) {
      if (answer_.verdict == FenceVerdict::kImpossible && last_witness_) {
        answer_.witness = last_witness_;
        answer_.instance = instances_[last_instance_];
      }
      return false;
    }
    answer_.verdict = FenceVerdict::kFound;
    answer_.fences = locations(*chosen);
    answer_.cost = cost_of(*chosen);
    answer_.reason = chosen->empty() ? "no fence is needed"
                                     : fmt::format("{} {}, and no cheaper set will do", chosen->size(),
                                                   chosen->size() == 1 ? "fence" : "fences");
    problem_.excluded.push_back(*chosen);
    return true;
  }

  void find_alternatives() {
    const FenceVerdict verdict = answer_.verdict;
    const std::string reason = answer_.reason;
    while (!answer_.fences.empty() && answer_.alternatives.size() < options_.alternatives) {
      const auto chosen = next_valid(answer_.cost);
      if (!chosen) break;
      answer_.alternatives.push_back(locations(*chosen));
      problem_.excluded.push_back(*chosen);
    }
    answer_.verdict = verdict;
    answer_.reason = reason;
  }

  // Drops each fence in turn, in a program that has the others. Every set to hit is from one of the known
  // instances; the smallest with a violation shows it.
  void show_needs() {
    std::ranges::stable_sort(instances_, {}, [](const Program& p) { return p.threads.size(); });
    for (std::size_t i = 0; i < answer_.fences.size(); ++i) {
      std::vector<LocationId> others = answer_.fences;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      std::optional<FenceNeed> need = need_of(answer_.fences[i], all_at_places(options_, others));
      if (!need) {
        if (context_.stopped()) return;
        WEIR_CHECK(false, "every fence of a cheapest set is needed");
      }
      answer_.needs.push_back(std::move(*need));
    }
  }

  std::optional<FenceNeed> need_of(LocationId fence, const std::vector<LocationId>& others) {
    for (const Program& instance : instances_) {
      FenceNeed need{fence, with_fences(instance, others), {}};
      std::optional<Witness> witness = violation(need.program);
      if (!witness) continue;
      need.witness = std::move(*witness);
      return need;
    }
    return std::nullopt;
  }

  std::optional<Witness> violation(const Program& fenced) {
    if (options_.purpose == FencePurpose::kSafety) return explore(fenced).witness;
    RobustOptions robust = options_.robust;
    robust.all = false;
    const RobustAnswer answer = check_robust(fenced, robust, context_);
    for (const AttackResult& result : answer.attacks)
      if (result.witness) return result.witness;
    return std::nullopt;
  }

  // The instances that are known, and then, if there is no end of them, all others.
  Finding check(const std::vector<LocationId>& fences) {
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      Finding finding = check_instance(i, fences);
      if (finding.kind != Finding::Kind::kGood) return finding;
    }
    return options_.any_number ? check_any_number(fences) : Finding{.kind = Finding::Kind::kGood};
  }

  Finding check_instance(std::size_t number, const std::vector<LocationId>& fences) {
    Finding finding = options_.purpose == FencePurpose::kSafety
                          ? check_safety(instances_[number], fences)
                          : check_robustness(instances_[number], fences);
    finding.instance = number;
    return finding;
  }

  Finding check_any_number(const std::vector<LocationId>& fences) {
    RobustOptions robust = options_.robust;
    robust.fences = fences;
    ParameterizedAnswer answer = check_robust_any(program_, robust, context_);
    if (answer.verdict == RobustVerdict::kRobust) return {.kind = Finding::Kind::kGood};
    if (answer.verdict == RobustVerdict::kUnknown) {
      answer_.bound = answer.bound;
      answer_.diagnostics = answer.diagnostics;
      return {.reason = answer.reason};
    }
    instances_.push_back(std::move(answer.instance));
    return check_instance(instances_.size() - 1, fences);
  }

  Finding check_robustness(const Program& program, const std::vector<LocationId>& fences) {
    RobustOptions robust = options_.robust;
    robust.all = true;
    robust.fences = fences;
    const RobustAnswer answer = check_robust(program, robust, context_);
    count(answer.statistics);
    Finding finding{.reason = answer.reason};
    switch (answer.verdict) {
      case RobustVerdict::kRobust: finding.kind = Finding::Kind::kGood; break;
      case RobustVerdict::kUnknown:
        answer_.bound = answer.bound;
        answer_.diagnostics = answer.diagnostics;
        break;
      case RobustVerdict::kNotRobust: finding.kind = Finding::Kind::kBad; break;
    }
    for (const AttackResult& result : answer.attacks) {
      if (!result.witness) continue;
      finding.witness = result.witness;
      std::vector<std::uint32_t>& set = finding.sets.emplace_back();
      for (const LocationId location : crossed_locations(program, result.path))
        set.push_back(location.index());
    }
    return finding;
  }

  Answer explore(const Program& fenced) {
    ExplicitOptions options;
    options.model = options_.model;
    options.local_steps = options_.robust.local_steps;
    options.values = options_.robust.values;
    return check_explicit(fenced, options, context_);
  }

  Finding check_safety(const Program& program, const std::vector<LocationId>& fences) {
    const Answer answer = explore(with_fences(program, fences));
    count(answer.statistics);
    Finding finding{.reason = answer.reason};
    if (answer.verdict == Verdict::kSafe) finding.kind = Finding::Kind::kGood;
    if (answer.verdict == Verdict::kUnknown) answer_.bound = answer.bound;
    if (answer.verdict == Verdict::kUnsafe) {
      finding.kind = Finding::Kind::kBad;
      finding.witness = answer.witness;
      finding.sets.push_back(left_while_buffering(program, *answer.witness));
    }
    return finding;
  }

  void count(const Statistics& statistics) {
    if (const Statistics::Figure* figure = statistics.find("states"))
      states_ += std::get<std::uint64_t>(*figure);
  }

  const Program& program_;
  const FenceOptions& options_;
  Context& context_;
  std::vector<Program> instances_;  // that need fences: the only one, or those found so far
  HittingProblem problem_;
  std::optional<Witness> last_witness_;
  std::size_t last_instance_ = 0;  // of the witness
  std::uint64_t iterations_ = 0, states_ = 0;
  FenceAnswer answer_;
};

}  // namespace

Program instance(const Program& program, const FenceOptions& options) {
  return options.copies ? with_instances(program, *options.copies) : program;
}

std::vector<LocationId> all_at_places(const FenceOptions& options, const std::vector<LocationId>& fences) {
  if (options.place.empty()) return fences;
  std::vector<LocationId> result;
  for (std::size_t l = 0; l < options.place.size(); ++l)
    if (std::ranges::find(fences, options.place[l]) != fences.end()) result.push_back(LocationId(l));
  return result;
}

FenceAnswer place_fences(const Program& program, const FenceOptions& options, Context& context) {
  return FencePlacement(program, options, context).run();
}

}  // namespace weir
