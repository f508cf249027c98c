#include "cli/options/exploration.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cli/checkpoints.hpp"
#include "cli/options/question.hpp"

namespace weir::cli {

namespace {

std::optional<UsageError> check_equivalence(const Settings& settings, Equivalence equivalence) {
  const bool rooted = equivalence == Equivalence::kDataCentric || equivalence == Equivalence::kValueCentric;
  if (rooted && settings.text(OptionId::kModel) != "sc")
    return UsageError{fmt::format("{} is defined under sc only", name(equivalence)), "try rvf"};
  if (!rooted && settings.given(OptionId::kRoot))
    return UsageError{"--root is for --equivalence vc and dc", ""};
  if (!looks_at_values(equivalence) && settings.given(OptionId::kWithout))
    return UsageError{"--without is for --equivalence rvf, vc and dc", ""};
  if (looks_at_values(equivalence) && settings.flag(OptionId::kEstimate))
    return UsageError{"--estimate is for --equivalence mazurkiewicz, observers and rf",
                      "an estimate for rf is an upper bound for rvf"};
  return std::nullopt;
}

// None if the list names something else.
std::optional<ValueHeuristics> heuristics_without(std::string_view list) {
  ValueHeuristics heuristics;
  const std::pair<std::string_view, bool*> known[] = {{"closure", &heuristics.closure},
                                                      {"greedy", &heuristics.greedy},
                                                      {"guidance", &heuristics.guidance},
                                                      {"relaxations", &heuristics.relaxations},
                                                      {"signals", &heuristics.signals}};
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    const std::string_view word = list.substr(begin, comma - begin);
    const auto found = std::ranges::find(known, word, &std::pair<std::string_view, bool*>::first);
    if (found == std::end(known)) return std::nullopt;
    *found->second = false;
    begin = comma + 1;
  }
  return heuristics;
}

// By name or number; none if there is no such thread.
std::optional<std::size_t> find_thread(const Program& program, std::string_view text) {
  for (std::size_t t = 0; t < program.threads.size(); ++t)
    if (program.threads[t].name == text || std::to_string(t) == text) return t;
  return std::nullopt;
}

std::string thread_names(const Program& program) {
  std::string names;
  for (const Thread& thread : program.threads) names += (names.empty() ? "" : ", ") + thread.name;
  return names;
}

std::optional<UsageError> check_exploration_checkpoints(const Settings& settings) {
  const bool other = settings.flag(OptionId::kEstimate) || settings.given(OptionId::kPlot);
  if (wants_checkpoints(settings) && other)
    return UsageError{"estimates and plots have no checkpoints", "leave --checkpoint and --resume out"};
  return check_checkpoint_options(settings);
}

}  // namespace

Expected<SmcOptions, UsageError> exploration(const Settings& settings) {
  SmcOptions options;
  options.model = parse_model(settings.text(OptionId::kModel)).value();
  options.equivalence = parse_equivalence(settings.text(OptionId::kEquivalence)).value();
  if (auto error = check_equivalence(settings, options.equivalence)) return *error;
  if (auto error = check_exploration_checkpoints(settings)) return *error;
  const auto heuristics = heuristics_without(settings.text(OptionId::kWithout));
  if (!heuristics)
    return UsageError{fmt::format("--without cannot be '{}'", settings.text(OptionId::kWithout)),
                      "any of closure, greedy, guidance, relaxations, signals, with commas in between"};
  options.heuristics = *heuristics;
  options.stop_at_violation = settings.flag(OptionId::kStop);
  options.only_estimate = settings.flag(OptionId::kEstimate);
  options.local_steps = settings.number(OptionId::kLocalSteps).value();
  options.jobs = jobs(settings);
  return options;
}

std::optional<UsageError> find_root(const Program& program, const Settings& settings, SmcOptions& options) {
  if (!settings.given(OptionId::kRoot)) return std::nullopt;
  options.root = find_thread(program, settings.text(OptionId::kRoot));
  if (options.root) return std::nullopt;
  return UsageError{fmt::format("there is no thread '{}'", settings.text(OptionId::kRoot)),
                    "the threads are " + thread_names(program)};
}

}  // namespace weir::cli
