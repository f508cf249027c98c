#include "verify/fair/system.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <unistd.h>

#include "base/file.hpp"
#include "check/streett_reference.hpp"
#include "engine/fairness/plays.hpp"

namespace weir::verify {

namespace {

using fairness::Question;
using fairness::StreettOptions;
using fairness::StreettResult;

Diagnostic wrong(std::string message) { return {Severity::kError, std::move(message), {}, ""}; }

Expected<TransitionSystem> read_prism(const SystemSource& source) {
  auto text = read_file(source.file);
  if (!text) return std::move(text.error());
  auto system = fairness::read_tra(source.file, std::move(*text));
  if (!system) return system;
  std::string path = source.labels;
  if (path.empty()) {
    path = source.file.substr(0, source.file.size() - 4) + ".lab";
    if (access(path.c_str(), R_OK) != 0) return system;
  }
  auto labels = read_file(path);
  if (!labels) return std::move(labels.error());
  return fairness::read_lab(std::move(*system), path, std::move(*labels));
}

Expected<TransitionSystem> read_system(const SystemSource& source) {
  if (source.file.ends_with(".tra")) return read_prism(source);
  auto text = read_file(source.file);
  if (!text) return std::move(text.error());
  return fairness::read_aut(source.file, std::move(*text));
}

// As many states as the share says, each set of them with the same probability.
void draw_random(TransitionSystem& system, double share, std::uint64_t seed) {
  std::mt19937_64 numbers(seed);
  auto wanted = static_cast<std::size_t>(share * static_cast<double>(system.given) + 0.5);
  for (std::size_t v = 0; v < system.given && wanted > 0; ++v)
    if (numbers() % (system.given - v) < wanted) {
      system.random[v] = true;
      --wanted;
    }
}

std::optional<InputError> add_vertices(TransitionSystem& system, const std::string& path) {
  auto text = read_file(path);
  if (!text) return std::move(text.error());
  auto vertices = fairness::read_vertices(path, std::move(*text), system.given);
  if (!vertices) return std::move(vertices.error());
  for (const Vertex v : *vertices) system.random[v] = true;
  return std::nullopt;
}

// Automata.

std::vector<Diagnostic> proposition_warnings(const TransitionSystem& system,
                                             const OmegaAutomaton& automaton) {
  std::vector<Diagnostic> warnings;
  for (const std::string& name : fairness::strange_propositions(system, automaton))
    warnings.push_back(
        {Severity::kWarning,
         fmt::format("the proposition '{}' never holds: the system has no such label or action", name),
         automaton.acceptance_position, ""});
  return warnings;
}

Diagnostic no_streett_condition(const OmegaAutomaton& automaton, bool negate) {
  const char* const what = negate ? "the negation of this acceptance condition is not a Streett condition"
                                  : "this acceptance condition is not a Streett condition";
  const char* const instead =
      negate ? "the condition itself is one: leave --negate out"
             : "its negation is one: --negate asks for the plays that the automaton rejects";
  const bool other = fairness::streett_clauses(automaton, !negate).has_value();
  return {Severity::kError, what, automaton.acceptance_position, other ? instead : ""};
}

// Choices of an automaton would be the player's, who knows what chance will do: not for chance, nor negated.
std::optional<Diagnostic> needless_choice(const TransitionSystem& system, const OmegaAutomaton& automaton,
                                          bool negate) {
  const bool chance = std::ranges::find(system.random, true) != system.random.end();
  if (!negate && !chance) return std::nullopt;
  const auto state = fairness::nondeterministic_state(system, automaton);
  if (!state) return std::nullopt;
  return Diagnostic{
      Severity::kError,
      fmt::format("{} needs an automaton that is deterministic and complete, and state {} is not",
                  negate ? "--negate" : "a system with chance", *state),
      automaton.acceptance_position, ""};
}

Expected<Objective, ObjectiveMistake> automaton_objective(const TransitionSystem& system,
                                                          const ObjectiveSource& source) {
  auto text = read_file(source.automaton);
  if (!text) return ObjectiveMistake(std::move(text.error()));
  Objective objective;
  objective.sources.add(source.automaton, *text);
  const auto automaton = fairness::read_hoa(source.automaton, std::move(*text));
  if (!automaton) return ObjectiveMistake(automaton.error());
  const auto clauses = fairness::streett_clauses(automaton.value(), source.negate);
  std::optional<Diagnostic> problem;
  if (!clauses)
    problem = no_streett_condition(automaton.value(), source.negate);
  else
    problem = needless_choice(system, automaton.value(), source.negate);
  if (problem) return ObjectiveMistake(InputError{std::move(objective.sources), {std::move(*problem)}, ""});
  objective.warnings = proposition_warnings(system, automaton.value());
  objective.question = fairness::product(system, automaton.value(), *clauses);
  return objective;
}

// Pairs.

Expected<Objective, ObjectiveMistake> pair_objective(const TransitionSystem& system,
                                                     const ObjectiveSource& source) {
  std::vector<fairness::NamedPair> pairs;
  for (const std::string& text : source.pairs) {
    auto pair = fairness::parse_named_pair(text);
    if (!pair) return ObjectiveMistake(wrong(fmt::format("pair needs REQUEST=>GRANT, not '{}'", text)));
    pairs.push_back(std::move(*pair));
  }
  std::string missing;
  auto question = fairness::named_question(system, pairs, missing);
  if (!question)
    return ObjectiveMistake(wrong(fmt::format("pair: the system has no label or action '{}'", missing)));
  Objective objective{.question = std::move(*question), .warnings = {}, .sources = {}};
  if (source.pair_file.empty()) return objective;
  auto text = read_file(source.pair_file);
  if (!text) return ObjectiveMistake(std::move(text.error()));
  auto given = fairness::read_pairs(source.pair_file, std::move(*text), system.given);
  if (!given) return ObjectiveMistake(std::move(given.error()));
  for (StreettPair& pair : *given) objective.question.pairs.push_back(std::move(pair));
  return objective;
}

// The answer.

void set_figures(Statistics& statistics, const Question& question, const StreettResult& result) {
  const fairness::StreettFigures& figures = result.figures;
  statistics.set("vertices", std::uint64_t{question.arena.vertices()});
  statistics.set("edges", std::uint64_t{question.arena.edges()});
  statistics.set("pairs", std::uint64_t{question.pairs.size()});
  statistics.set("symbolic_steps", figures.first_steps + figures.search_steps + figures.reach_steps);
  statistics.set("first_steps", figures.first_steps);
  statistics.set("search_steps", figures.search_steps);
  statistics.set("reach_steps", figures.reach_steps);
  statistics.set("build_seconds", figures.build_seconds);
  statistics.set("first_seconds", figures.first_seconds);
  statistics.set("search_seconds", figures.search_seconds);
  statistics.set("reach_seconds", figures.reach_seconds);
  statistics.set("bdd_nodes", figures.nodes);
  statistics.set("good_components", std::uint64_t{result.components.size()});
}

// What shows the answer, checked on the explicit arena.
void add_plays(FairnessVerdict& verdict, const Question& question, const StreettResult& result) {
  std::string mistake;
  if (verdict.chance) {
    verdict.strategy = fairness::find_strategy(question.arena, result);
    mistake = strategy_mistake(question.arena, question.pairs, result.winning, *verdict.strategy);
  } else if (verdict.fair) {
    verdict.lasso = fairness::find_lasso(question.arena, question.pairs, result, question.arena.initial);
    mistake = lasso_mistake(question.arena, question.pairs, question.arena.initial, *verdict.lasso);
  }
  if (!mistake.empty()) throw InternalError("the answer fails its check: " + mistake);
}

}  // namespace

bool is_system_path(std::string_view path) { return path.ends_with(".aut") || path.ends_with(".tra"); }

Expected<TransitionSystem> load_system(const SystemSource& source) {
  auto system = read_system(source);
  if (!system) return system;
  if (!source.random_vertices.empty())
    if (auto problem = add_vertices(*system, source.random_vertices)) return std::move(*problem);
  if (source.random_share) draw_random(*system, *source.random_share, source.seed);
  return system;
}

Expected<Objective, ObjectiveMistake> load_objective(const TransitionSystem& system,
                                                     const ObjectiveSource& source) {
  WEIR_CHECK(system.given > 0, "a system without states has no plays to ask about");
  return source.automaton.empty() ? pair_objective(system, source) : automaton_objective(system, source);
}

FairnessVerdict solve_objective(const Question& question, const StreettOptions& options, Context& context) {
  FairnessVerdict verdict;
  verdict.algorithm = options.algorithm == fairness::Algorithm::kBasic ? "basic" : "improved";
  verdict.chance = question.arena.has_random();
  StreettResult result = fairness::solve_streett(question.arena, question.pairs, options, &context);
  set_figures(verdict.statistics, question, result);
  verdict.winning = result.winning;
  if (!result.complete) {
    verdict.stopped = describe(context.stop_reason());
    return verdict;
  }
  verdict.fair = result.winning[question.arena.initial];
  add_plays(verdict, question, result);
  return verdict;
}

}  // namespace weir::verify
