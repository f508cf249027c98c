#include "cli/options/question.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>

#include "cli/checkpoints.hpp"
#include "cli/options/value_limits.hpp"
#include "verify/engines.hpp"

namespace weir::cli {

namespace {

bool wants_schedules(const Settings& settings) {
  return settings.given(OptionId::kRandom) || settings.given(OptionId::kBoundPreemptions);
}

// Schedules are chosen instead of an engine.
std::optional<UsageError> check_schedules(const Settings& settings) {
  if (!wants_schedules(settings)) return std::nullopt;
  const bool random = settings.given(OptionId::kRandom);
  if (random && settings.given(OptionId::kBoundPreemptions))
    return UsageError{"--random and --bound-preemptions do not go together", "try one after the other"};
  if (random && settings.number(OptionId::kRandom) == 0)
    return UsageError{"--random needs at least one schedule", ""};
  for (const OptionId other : {OptionId::kEngine, OptionId::kSearch, OptionId::kReduction})
    if (settings.given(other))
      return UsageError{fmt::format("{} takes the place of --engine, --search and --reduction",
                                    random ? "--random" : "--bound-preemptions"),
                        "leave these out"};
  return std::nullopt;
}

std::optional<UsageError> check_abstraction_option(const Settings& settings) {
  if (!settings.given(OptionId::kAbstraction)) return std::nullopt;
  if (settings.text(OptionId::kEngine) != "abstraction")
    return UsageError{"--abstraction is for --engine abstraction", "add --engine abstraction --model tso"};
  if (parse_abstraction(settings.text(OptionId::kAbstraction))) return std::nullopt;
  return UsageError{fmt::format("--abstraction {} is no abstraction", settings.text(OptionId::kAbstraction)),
                    "it is set, multiset, or the number of stores that are kept in order"};
}

// "sc and tso"
std::string names_of(std::span<const Model> models) {
  std::vector<std::string_view> names;
  for (const Model model : models) names.push_back(name(model));
  return fmt::format("{}", fmt::join(names, " and "));
}

std::optional<UsageError> check_engine(const Settings& settings) {
  const std::string_view chosen = settings.text(OptionId::kEngine);
  const Model model = parse_model(settings.text(OptionId::kModel)).value();
  if (settings.given(OptionId::kCertificate) && !verify::find_engine("dual")->answers_under(model))
    return UsageError{"there are certificates under sc and tso only", "leave --certificate out"};
  if (chosen == "auto") return std::nullopt;
  const verify::Engine* const engine = verify::find_engine(chosen);
  if (engine == nullptr)
    return UsageError{fmt::format("--engine {} is for array systems and any number of processes", chosen),
                      "to make a program one: weir convert FILE --to array"};
  if (engine->answers_under(model)) return std::nullopt;
  return UsageError{fmt::format("--engine {} answers under {} only", chosen, names_of(engine->models)),
                    "add --model tso"};
}

// "explicit, smc, dual and array"
std::string engines_with_checkpoints() {
  std::string names;
  for (const verify::Engine& engine : verify::engines())
    if (engine.checkpoints) names += (names.empty() ? "" : ", ") + std::string(engine.name);
  return names + " and array";
}

std::optional<UsageError> check_checkpoints(const Settings& settings) {
  if (!wants_checkpoints(settings)) return check_checkpoint_options(settings);
  if (wants_schedules(settings))
    return UsageError{"schedules have no checkpoints", "leave --checkpoint and --resume out"};
  const std::string_view chosen = settings.text(OptionId::kEngine);
  if (const verify::Engine* const engine = verify::find_engine(chosen);
      engine != nullptr && !engine->checkpoints)
    return UsageError{fmt::format("--engine {} has no checkpoints", chosen),
                      fmt::format("the engines {} have", engines_with_checkpoints())};
  const std::string_view reduction = settings.text(OptionId::kReduction);
  if (reduction == "dynamic" || reduction == "cartesian")
    return UsageError{fmt::format("--reduction {} has no checkpoints", reduction),
                      "the reductions none, local-first and persistent have"};
  return check_checkpoint_options(settings);
}

std::optional<UsageError> check_any_number(const Settings& settings) {
  if (wants_schedules(settings))
    return UsageError{"schedules are those of a given number of threads", "give -n a number"};
  const std::string_view chosen = settings.text(OptionId::kEngine);
  if (chosen != "auto" && !verify::find_engine(chosen)->any_number)
    return UsageError{fmt::format("--engine {} answers for a given number of threads", chosen),
                      "leave --engine out, or give -n a number"};
  const Model model = parse_model(settings.text(OptionId::kModel)).value();
  const auto answers = [&](const verify::Engine& engine) {
    return engine.any_number && engine.answers_under(model);
  };
  if (std::ranges::any_of(verify::engines(), answers)) return std::nullopt;
  return UsageError{"-n any answers under sc and tso only", "add --model tso"};
}

}  // namespace

unsigned jobs(const Settings& settings) {
  const std::uint64_t wanted = settings.number(OptionId::kJobs).value_or(std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, 1024));
}

std::optional<std::uint32_t> buffer_bound(const Settings& settings) {
  const auto buffer = settings.number(OptionId::kBuffer);
  if (!buffer) return std::nullopt;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(*buffer, UINT32_MAX));
}

std::optional<UsageError> check_search_options(const Settings& settings, const Instances& copies) {
  if (auto error = check_schedules(settings)) return error;
  if (auto error = check_abstraction_option(settings)) return error;
  if (auto error = check_engine(settings)) return error;
  if (auto error = check_checkpoints(settings)) return error;
  return copies.any ? check_any_number(settings) : std::nullopt;
}

Expected<verify::Question, UsageError> question(const Program& program, const Settings& settings,
                                                const Instances& copies) {
  auto values = value_limits(program, settings);
  if (!values) return values.error();
  verify::Question result;
  result.model = parse_model(settings.text(OptionId::kModel)).value();
  result.engine = settings.text(OptionId::kEngine);
  result.any_number = copies.any;
  result.values = std::move(*values);
  result.local_steps = settings.number(OptionId::kLocalSteps).value();
  result.jobs = jobs(settings);
  if (settings.given(OptionId::kSearch))
    result.search = settings.text(OptionId::kSearch) == "dfs" ? Search::kDepthFirst : Search::kBreadthFirst;
  if (settings.given(OptionId::kReduction))
    result.reduction = parse_reduction(settings.text(OptionId::kReduction)).value();
  result.symmetry = !settings.flag(OptionId::kNoSymmetry);
  result.live_variables = !settings.flag(OptionId::kNoLiveVariables);
  result.buffer = buffer_bound(settings);
  result.abstraction = parse_abstraction(settings.text(OptionId::kAbstraction));
  if (settings.given(OptionId::kRandom))
    result.random = {.schedules = settings.number(OptionId::kRandom).value(),
                     .seed = settings.number(OptionId::kSeed).value(),
                     .most_steps = settings.number(OptionId::kSteps).value()};
  if (settings.given(OptionId::kBoundPreemptions))
    result.preemptions = settings.number(OptionId::kBoundPreemptions);
  return result;
}

}  // namespace weir::cli
