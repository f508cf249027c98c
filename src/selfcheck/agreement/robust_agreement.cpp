#include "selfcheck/agreement/robust_agreement.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "check/explore.hpp"
#include "check/replay.hpp"
#include "check/trace_sets.hpp"
#include "engine/explicit/explicit.hpp"
#include "engine/robust/instrument.hpp"
#include "engine/robust/lazy.hpp"
#include "program/analysis/plain.hpp"

namespace weir::selfcheck {

namespace {

std::string replay_problem(const Program& program, const RobustAnswer& answer) {
  for (const AttackResult& result : answer.attacks) {
    if (result.witness.has_value() != (result.verdict == AttackVerdict::kFeasible))
      return "an attack is feasible exactly if it has a witness";
    if (!result.witness) continue;
    const ReplayResult replayed = replay(program, *result.witness);
    if (!replayed.reproduced) return "a witness does not replay: " + replayed.failure;
    const auto attacks = [&](const WitnessStep& step) {
      return step.thread == result.attack.thread && step.edge == result.attack.store;
    };
    if (std::ranges::none_of(result.witness->steps, attacks)) return "another thread attacks than is said";
  }
  return "";
}

struct Way {
  const char* name;
  RobustOptions options;
};

std::vector<Way> ways() {
  std::vector<Way> result;
  result.push_back({"first", {}});
  result.push_back({"all", {.all = true}});
  result.push_back({"all, two jobs", {.all = true, .jobs = 2}});
  result.push_back({"all, depth first", {.all = true, .order = AttackOrder::kEarliest}});
  return result;
}

std::vector<Attack> feasible(const RobustAnswer& answer) {
  std::vector<Attack> result;
  for (const AttackResult& attack : answer.attacks)
    if (attack.verdict == AttackVerdict::kFeasible) result.push_back(attack.attack);
  return result;
}

// Every SC execution, one after the other; a race is recognised by replay.
class RaceByBruteForce {
 public:
  RaceByBruteForce(const Program& program, std::size_t most_prefixes)
      : program_(program), machine_(program, Model::kSc), most_prefixes_(most_prefixes) {
    witness_.violation.kind = ViolationKind::kTriangularRace;
  }

  // Nothing if there are too many executions.
  std::optional<bool> found() {
    const bool race = explore(machine_.initial());
    if (!race && visited_ > most_prefixes_) return std::nullopt;
    return race;
  }

 private:
  bool explore(const ReferenceState& state) {
    if (++visited_ > most_prefixes_) return false;
    for (const ReferenceStep& step : machine_.steps(state)) {
      if (step.failure) continue;
      const std::size_t before = witness_.steps.size();
      witness_.steps.insert(witness_.steps.end(), step.steps.begin(), step.steps.end());
      const bool race = replay(program_, witness_).reproduced || explore(step.after);
      if (race) return true;
      witness_.steps.resize(before);
    }
    return false;
  }

  const Program& program_;
  ReferenceMachine machine_;
  std::size_t most_prefixes_;
  Witness witness_;
  std::size_t visited_ = 0;
};

std::string triangular_problem(const Program& program, bool robust, std::size_t most_prefixes) {
  const std::optional<bool> race = RaceByBruteForce(program, most_prefixes).found();
  for (const bool all : {false, true}) {
    Context context;
    const RobustAnswer answer =
        check_robust(program, {.notion = RobustnessNotion::kTriangular, .all = all}, context);
    if (answer.verdict == RobustVerdict::kUnknown && program.byte_memory) return "";
    if (race && *race != (answer.verdict == RobustVerdict::kNotRobust))
      return fmt::format("triangular: {}, but there is {} race", name(answer.verdict), *race ? "a" : "no");
    if (answer.verdict == RobustVerdict::kRobust && !robust)
      return "not robust, but no triangular race was found";
    if (const std::string problem = replay_problem(program, answer); !problem.empty())
      return "triangular: " + problem;
  }
  return "";
}

// The translation of each attack, decided under SC, says the same as the semantics.
std::string instrumentation_problem(const Program& program, const RobustAnswer& answer) {
  if (beyond_plain(program)) return "";  // loads that wait are not translated
  for (const AttackResult& result : answer.attacks) {
    Expected<Program> translated = instrument(program, result.attack);
    if (!translated.ok()) return "an attack could not be translated";
    Context context;
    const Verdict verdict = check_explicit(*translated, {}, context).verdict;
    if ((verdict == Verdict::kUnsafe) != (result.verdict == AttackVerdict::kFeasible))
      return fmt::format("instrumentation: {}, but the attack is {}", name(verdict),
                         result.verdict == AttackVerdict::kFeasible ? "feasible" : "not feasible");
  }
  return "";
}

// Whether control can come back to where it was: locations nothing leads to are removed, until none is left.
bool has_loop(const Program& program) {
  const auto leads_on = [](const Edge& edge) {
    return edge.instruction.op != Opcode::kReturn && edge.instruction.op != Opcode::kStop;
  };
  std::vector<std::vector<LocationId>> successors(program.locations.size());
  std::vector<std::size_t> predecessors(program.locations.size(), 0);
  for (const Edge& edge : program.edges) {
    if (!leads_on(edge)) continue;
    successors[edge.source.index()].push_back(edge.target);
    ++predecessors[edge.target.index()];
  }
  std::vector<LocationId> removed;
  for (std::size_t at = 0; at < predecessors.size(); ++at)
    if (predecessors[at] == 0) removed.emplace_back(at);
  for (std::size_t i = 0; i < removed.size(); ++i)
    for (const LocationId to : successors[removed[i].index()])
      if (--predecessors[to.index()] == 0) removed.push_back(to);
  return removed.size() < program.locations.size();
}

constexpr std::size_t kMostReleasingStates = 20'000;
constexpr std::uint32_t kLongestLoopBuffer = 2;
constexpr std::uint64_t kMostLoopRounds = 4;
constexpr std::chrono::milliseconds kLongestLoopSearch(1'000);

}  // namespace

bool accesses_released_memory(const Program& program) {
  const auto releases = [](const Edge& edge) { return edge.instruction.op == Opcode::kFree; };
  if (std::ranges::none_of(program.edges, releases)) return false;
  const ReferenceExploration reference = explore_all(program, Model::kSc, {.states = kMostReleasingStates});
  return !reference.complete || reference.violations.contains({ViolationKind::kMemory, 0});
}

std::string robust_disagreement(const Program& program, RobustComparisons* made, std::size_t most_steps) {
  if (accesses_released_memory(program)) return "";
  const BruteForceVerdict expected = compare_traces(program, {.computations = most_steps});
  if (expected == BruteForceVerdict::kTooLarge) return "";
  const bool robust = expected == BruteForceVerdict::kRobust;
  if (made != nullptr) {
    ++made->verdicts;
    made->not_robust += !robust;
  }
  std::optional<std::vector<Attack>> all_feasible;
  for (const Way& way : ways()) {
    Context context;
    const RobustAnswer answer = check_robust(program, way.options, context);
    if (answer.verdict == RobustVerdict::kUnknown && program.byte_memory) return "";
    if (answer.verdict != (robust ? RobustVerdict::kRobust : RobustVerdict::kNotRobust))
      return fmt::format("{}: {}, but it is {}", way.name, name(answer.verdict),
                         robust ? "robust" : "not robust");
    if (const std::string problem = replay_problem(program, answer); !problem.empty())
      return fmt::format("{}: {}", way.name, problem);
    if (!way.options.all) continue;
    if (all_feasible && *all_feasible != feasible(answer))
      return fmt::format("{}: other attacks are feasible", way.name);
    all_feasible = feasible(answer);
    if (way.options.order == AttackOrder::kEarliest)
      if (const std::string problem = instrumentation_problem(program, answer); !problem.empty())
        return problem;
  }
  return triangular_problem(program, robust, most_steps / 3);
}

std::string lazy_disagreement(const Program& program, RobustComparisons* made) {
  // With a loop neither search need end.
  const bool loops = has_loop(program);
  Context context(loops ? Limits{.timeout = kLongestLoopSearch} : Limits{}, {}, /*handle_interrupt=*/false);
  ExplicitOptions all{.model = Model::kTso};
  if (loops) all.buffer = kLongestLoopBuffer;
  const Answer expected = check_explicit(program, all, context);
  LazyOptions some;
  if (loops) some.rounds = kMostLoopRounds;
  const Answer lazy = check_lazy(program, some, context);
  if (made != nullptr) ++(lazy.verdict == Verdict::kUnknown ? made->undecided : made->reachability);
  if (lazy.verdict == Verdict::kUnknown) return "";
  const bool contradicted = loops ? lazy.verdict == Verdict::kSafe && expected.verdict == Verdict::kUnsafe
                                  : lazy.verdict != expected.verdict;
  if (contradicted)
    return fmt::format("lazy: {} ({}), explicit: {} ({})", name(lazy.verdict), lazy.reason,
                       name(expected.verdict), expected.reason);
  if (!lazy.witness) return "";
  const ReplayResult replayed = replay(program, *lazy.witness);
  const bool told = replayed.reproduced || replayed.unsupported;  // then nobody is told the answer
  return told ? "" : "lazy: the witness does not replay: " + replayed.failure;
}

GeneratorShape lazy_shape_for(std::uint64_t seed) {
  GeneratorShape shape = robust_shape_for(seed);
  shape.goals = shape.exclusives = shape.invariants = true;
  shape.calls = seed % 4 == 3;
  shape.extra.awaited_values = false;
  shape.several_goals = true;
  shape.deadlocks = seed % 4 < 2;
  shape.loops = seed % 2 == 0 && seed % 11 != 0;  // a loop that allocates has no end
  shape.extra.plain = shape.extra.races = seed % 7 == 0;
  shape.extra.private_memory = seed % 5 == 0;
  shape.extra.blocks = shape.extra.frees = shape.extra.published_blocks = seed % 11 == 0;
  shape.extra.leaks = seed % 22 == 0;
  return shape;
}

GeneratorShape robust_shape_for(std::uint64_t seed) {
  GeneratorShape shape;
  shape.goals = shape.exclusives = shape.invariants = shape.deadlocks = false;
  shape.locks = seed % 3 == 0;
  shape.atomic_blocks = seed % 3 == 1;
  shape.failures = seed % 10 == 0;
  shape.open_memory = seed % 10 == 0;
  shape.max_instructions = 4 + seed % 2;
  shape.extra.awaited_values = seed % 4 == 2;
  return shape;
}

}  // namespace weir::selfcheck
