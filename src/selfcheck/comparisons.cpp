// Every comparison is defined in a file of its own (`…_agreement.cpp`); here they get their names, and what
// they count gets into the ledger.
#include "selfcheck/comparisons.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/format.h>

#include "engine/smc/smc.hpp"
#include "selfcheck/agreement/abstraction_agreement.hpp"
#include "selfcheck/agreement/agreement.hpp"
#include "selfcheck/agreement/array_agreement.hpp"
#include "selfcheck/agreement/axiomatic_agreement.hpp"
#include "selfcheck/agreement/dual_agreement.hpp"
#include "selfcheck/agreement/fence_agreement.hpp"
#include "selfcheck/agreement/outcome_agreement.hpp"
#include "selfcheck/agreement/race_agreement.hpp"
#include "selfcheck/agreement/rewriting_agreement.hpp"
#include "selfcheck/agreement/robust_agreement.hpp"
#include "selfcheck/agreement/smc_agreement.hpp"
#include "selfcheck/agreement/value_agreement.hpp"
#include "selfcheck/brute_force/least_preemptions.hpp"

namespace weir::selfcheck {

namespace {

constexpr Model kScAndTso[] = {Model::kSc, Model::kTso};
constexpr Model kTsoOnly[] = {Model::kTso};

constexpr const char* kReference = "reference machine";
constexpr const char* kTooLarge = "too large for the reference";
constexpr const char* kUndecided = "the reference does not decide it";
constexpr const char* kRefused = "the engine does not decide it";

// Each reduction once; its search, and whether with symmetry and live variables, by the draw.
std::vector<Configuration> configurations(const Effort& effort) {
  std::vector<Configuration> all = all_configurations();
  if (effort.everything) return all;
  std::vector<Configuration> drawn;
  std::uint64_t draw = effort.draw;
  for (std::size_t first = 0; first < all.size(); first += 4, draw /= 4)
    drawn.push_back(all[first + draw % 4]);
  return drawn;
}

std::string explicit_problem(const Program& program, Model model, const Effort& effort, Ledger& ledger) {
  bool compared = false;
  const std::vector<Configuration> drawn = configurations(effort);
  std::string problem = disagreement(program, model, drawn, &compared, effort.at_most(200'000, 2'000));
  for (const Configuration& configuration : drawn) {
    const ComparedPair pair{fmt::format("explicit {}", name(configuration.reduction)), kReference, model};
    compared ? ledger.compared(pair) : ledger.left_out(pair, kTooLarge);
  }
  return problem;
}

std::string schedules_problem(const Program& program, Model model, const Effort& effort, Ledger& ledger) {
  LeastPreemptions found;
  std::string problem = schedule_disagreement(program, model, &found, effort.at_most(20'000, 1'500));
  for (const char* engine : {"bounded preemptions", "random schedules"}) {
    const ComparedPair pair{engine, kReference, model};
    found.complete ? ledger.compared(pair) : ledger.left_out(pair, kTooLarge);
  }
  return problem;
}

std::string lazy_problem(const Program& program, Model model, const Effort&, Ledger& ledger) {
  const ComparedPair pair{"lazy", "explicit", model};
  RobustComparisons made;
  std::string problem = lazy_disagreement(program, &made);
  ledger.compared(pair, made.reachability);
  ledger.left_out(pair, kRefused, made.undecided);
  return problem;
}

std::string rewriting_problem(const Program& program, Model model, const Effort&, Ledger& ledger) {
  RewritingComparisons made;
  std::string problem = rewriting_disagreement(program, model, made);
  ledger.compared({"calls inlined", "explicit", model}, made.inlined);
  ledger.compared({"own cells as registers", "explicit", model}, made.own_cells);
  ledger.left_out({"programs rewritten", "explicit", model}, kUndecided, made.undecided);
  return problem;
}

std::string dual_problem(const Program& program, Model model, const Effort&, Ledger& ledger) {
  DualComparisons made;
  std::string problem = dual_disagreement(program, model, made);
  const ComparedPair pair{"dual", "explicit", model};
  ledger.compared(pair, made.compared);
  ledger.left_out(pair, kUndecided, made.undecided);
  ledger.left_out(pair, kRefused, made.refused);
  ledger.compared({"dual, any number of threads", "explicit, up to 3 copies", model}, made.any_number);
  return problem;
}

std::string abstraction_problem(const Program& program, Model model, const Effort&, Ledger& ledger) {
  const Properties& properties = program.properties;
  if (properties.deadlock || properties.races || properties.leaks) {
    ledger.left_out({"abstraction", kReference, model}, "deadlocks, races or leaks are asked for");
    return "";
  }
  AbstractionComparisons made;
  std::string problem = abstraction_disagreement(program, &made);
  ledger.compared({"abstraction", kReference, model}, made.safe + made.unsafe);
  ledger.left_out({"abstraction", kReference, model}, kRefused, made.unknown);
  const ComparedPair inclusion{"buffer abstractions", "each other and tso", model};
  made.inclusions > 0 ? ledger.compared(inclusion) : ledger.left_out(inclusion, kTooLarge);
  ledger.compared({"reductions, abstract buffers", "no reduction", model}, made.reductions);
  ledger.compared({"multisets backward", "multisets forward", model},
                  made.backward_safe + made.backward_unsafe);
  return problem;
}

void count_executions(Ledger& ledger, std::initializer_list<Equivalence> equivalences, Model model,
                      std::size_t compared, std::size_t too_large, std::size_t given_up) {
  for (const Equivalence equivalence : equivalences) {
    const ComparedPair pair{fmt::format("smc {}", name(equivalence)), "all executions", model};
    ledger.compared(pair, compared);
    ledger.left_out(pair, kTooLarge, too_large > 0 ? 1 : 0);
    ledger.left_out(pair, kRefused, given_up > 0 ? 1 : 0);
  }
}

ExecutionLimits execution_limits(const Effort& effort) {
  return {.states = effort.at_most(kComparedExecutions.states, 1'000), .steps = kComparedExecutions.steps};
}

std::string smc_problem(const Program& program, Model model, const Effort& effort, Ledger& ledger) {
  SmcComparisons made;
  std::string problem = smc_disagreement(program, model, &made, execution_limits(effort));
  count_executions(ledger, {Equivalence::kMazurkiewicz, Equivalence::kObservers, Equivalence::kReadsFrom},
                   model, made.compared, made.too_large, made.given_up);
  return problem;
}

std::string values_problem(const Program& program, Model model, const Effort& effort, Ledger& ledger) {
  ValueComparisons made;
  std::string problem = value_disagreement(program, model, &made, {}, execution_limits(effort));
  count_executions(ledger, {Equivalence::kReadsValueFrom}, model, made.compared, made.too_large,
                   made.given_up);
  if (model == Model::kSc)
    count_executions(ledger, {Equivalence::kValueCentric, Equivalence::kDataCentric}, model, made.compared,
                     made.too_large, made.given_up);
  return problem;
}

std::string races_problem(const Program& program, Model model, const Effort& effort, Ledger& ledger) {
  RaceComparisons made;
  std::string problem = race_disagreement(program, model, made, effort.at_most(50'000, 2'000));
  const ComparedPair pair{"data races in executions", "in states", model};
  ledger.compared(pair, made.compared);
  ledger.left_out(pair, kTooLarge, made.too_large);
  ledger.left_out(pair, "no data races asked for, or the engine does not decide it", made.refused);
  return problem;
}

std::size_t brute_force_steps(const Effort& effort) { return effort.at_most(kMostBruteForceSteps, 3'000); }

std::string robust_problem(const Program& program, Model model, const Effort& effort, Ledger& ledger) {
  RobustComparisons made;
  std::string problem = robust_disagreement(program, &made, brute_force_steps(effort));
  const ComparedPair pair{"robust", "all traces", model};
  made.verdicts > 0 ? ledger.compared(pair) : ledger.left_out(pair, kTooLarge);
  return problem;
}

std::string fence_problem(const Program& program, Model model, const Effort& effort, Ledger& ledger) {
  FenceComparisons made;
  std::string problem = fence_disagreement(program, 0, &made, brute_force_steps(effort));
  const ComparedPair pair{"fence", "all fence sets", model};
  made.robust > 0 ? ledger.compared(pair) : ledger.left_out(pair, kTooLarge);
  return problem;
}

std::string outcomes_problem(const Program& program, Model model, const Effort&, Ledger& ledger) {
  OutcomeComparison result = compare_outcomes(program, model);
  const ComparedPair pair{"final states by search", "by axioms", model};
  result.left_out.empty() ? ledger.compared(pair) : ledger.left_out(pair, result.left_out);
  return result.problem;
}

std::string array_problem(const array::ArraySystem& system, const Effort& effort, Ledger& ledger) {
  for (const bool guess : {false, true}) {
    if (!effort.everything && guess != (effort.draw % 4 == 3)) continue;
    const ArrayAgreement result = compare_array(system, guess);
    const ComparedPair pair{guess ? "array, with guesses" : "array", "instances up to 4", Model::kTso};
    result.kind == ArrayAgreement::Kind::kUnknown ? ledger.left_out(pair, kRefused) : ledger.compared(pair);
    if (result.kind == ArrayAgreement::Kind::kDisagree) return result.message;
  }
  return "";
}

std::string array_axioms_problem(const array::ArraySystem& system, const Effort&, Ledger& ledger) {
  AxiomaticComparisons made;
  std::string problem =
      axiomatic_disagreement(system, made, {.search = std::chrono::milliseconds(500), .states = 5'000});
  const ComparedPair instances{"array by axioms", "instances up to 3", Model::kTso};
  ledger.compared(instances, made.safe + made.unsafe);
  ledger.left_out(instances, kRefused, made.undecided);
  ledger.compared({"array by axioms", "array", Model::kTso}, made.compared - made.approximations);
  ledger.left_out({"array by axioms", "array", Model::kTso}, "guards are weakened", made.approximations);
  return problem;
}

const std::array kPrograms = {
    ProgramComparison{"explicit",
                      all_models(),
                      explicit_problem,
                      {"weir check {file} --model {model} --engine explicit --reduction none",
                       "weir check {file} --model {model} --engine explicit"}},
    ProgramComparison{"schedules",
                      all_models(),
                      schedules_problem,
                      {"weir check {file} --model {model} --bound-preemptions 20",
                       "weir check {file} --model {model} --engine explicit"}},
    ProgramComparison{"lazy",
                      kTsoOnly,
                      lazy_problem,
                      {"weir check {file} --model {model} --engine lazy",
                       "weir check {file} --model {model} --engine explicit"}},
    ProgramComparison{"rewriting",
                      all_models(),
                      rewriting_problem,
                      {"weir check {file} --model {model} --engine auto",
                       "weir check {file} --model {model} --engine explicit"}},
    ProgramComparison{"dual",
                      kScAndTso,
                      dual_problem,
                      {"weir check {file} --model {model} --engine dual",
                       "weir check {file} --model {model} --engine explicit"}},
    ProgramComparison{"abstraction",
                      kTsoOnly,
                      abstraction_problem,
                      {"weir check {file} --model {model} --engine abstraction",
                       "weir check {file} --model {model} --engine explicit"}},
    ProgramComparison{"smc",
                      all_models(),
                      smc_problem,
                      {"weir explore {file} --model {model} --equivalence mazurkiewicz",
                       "weir explore {file} --model {model} --equivalence rf"}},
    ProgramComparison{"values",
                      all_models(),
                      values_problem,
                      {"weir explore {file} --model {model} --equivalence rvf",
                       "weir explore {file} --model {model} --equivalence rf"}},
    ProgramComparison{"races",
                      all_models(),
                      races_problem,
                      {"weir check {file} --model {model} --engine smc",
                       "weir check {file} --model {model} --engine explicit"}},
    ProgramComparison{"robust", kTsoOnly, robust_problem, {"weir robust {file} --all"}},
    ProgramComparison{"fence", kTsoOnly, fence_problem, {"weir fence {file} --alternatives 9"}},
    ProgramComparison{
        "outcomes", all_models(), outcomes_problem, {"weir outcomes {file} --model {model} --cross-check"}},
};

const std::array kArrays = {
    ArrayComparison{"array", array_problem, {"weir check {file}", "weir check {file} -n 3"}},
    ArrayComparison{
        "array-axioms", array_axioms_problem, {"weir check {file} --axiomatic", "weir check {file}"}},
};

template <class Run>
std::string thrown_as_problem(const Run& run) {
  try {
    return run();
  } catch (const std::exception& error) {
    return fmt::format("internal error: {}", error.what());
  }
}

template <class Run>
std::string timed_problem(std::string_view comparison, Ledger& ledger, const Run& run) {
  const auto start = std::chrono::steady_clock::now();
  std::string problem = thrown_as_problem(run);
  ledger.took(comparison, std::chrono::steady_clock::now() - start);
  return problem;
}

}  // namespace

std::span<const ProgramComparison> program_comparisons() { return kPrograms; }
std::span<const ArrayComparison> array_comparisons() { return kArrays; }

std::vector<std::string> comparison_names() {
  std::vector<std::string> names;
  for (const ProgramComparison& comparison : kPrograms) names.emplace_back(comparison.name);
  for (const ArrayComparison& comparison : kArrays) names.emplace_back(comparison.name);
  return names;
}

std::string problem_of(const ProgramComparison& comparison, const Program& program, Model model,
                       const Effort& effort, Ledger& ledger) {
  return timed_problem(comparison.name, ledger,
                       [&] { return comparison.problem(program, model, effort, ledger); });
}

std::string problem_of(const ArrayComparison& comparison, const array::ArraySystem& system,
                       const Effort& effort, Ledger& ledger) {
  return timed_problem(comparison.name, ledger, [&] { return comparison.problem(system, effort, ledger); });
}

}  // namespace weir::selfcheck
