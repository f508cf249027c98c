#include "selfcheck/selfcheck.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <limits>
#include <mutex>

#include "base/threads/side_by_side.hpp"
#include "program/array/text.hpp"
#include "program/text/text.hpp"
#include "selfcheck/random/array_generator.hpp"

namespace weir::selfcheck {

namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::vector<std::string> commands(std::string_view comparison, Model model,
                                  const std::vector<std::string_view>& others) {
  std::vector<std::string> result{
      fmt::format("weir selfcheck {{file}} --engines {} --models {}", comparison, name(model))};
  for (const std::string_view command : others)
    result.push_back(replaced(std::string(command), "{model}", name(model)));
  return result;
}

// Where an input failed, before it is shrunk.
struct Failure {
  std::size_t comparison = 0;  // its number among those of programs, or of array systems
  Model model = Model::kTso;
  std::string problem;
};

// All comparisons of one input. `made`: whether a comparison is to be made.
template <class Made>
std::optional<Failure> compare(const Program& program, const std::vector<Model>& models, const Effort& effort,
                               const Made& made, Ledger& ledger) {
  const auto all = program_comparisons();
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!made(all[c].name)) continue;
    for (const Model model : all[c].models) {
      if (std::ranges::find(models, model) == models.end()) continue;
      std::string problem = problem_of(all[c], program, model, effort, ledger);
      if (!problem.empty()) return Failure{c, model, std::move(problem)};
    }
  }
  return std::nullopt;
}

template <class Made>
std::optional<Failure> compare(const array::ArraySystem& system, const Effort& effort, const Made& made,
                               Ledger& ledger) {
  const auto all = array_comparisons();
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!made(all[c].name)) continue;
    std::string problem = problem_of(all[c], system, effort, ledger);
    if (!problem.empty()) return Failure{c, Model::kTso, std::move(problem)};
  }
  return std::nullopt;
}

Disagreement described(const Failure& failure, const Program& program) {
  const ProgramComparison& comparison = program_comparisons()[failure.comparison];
  return {.comparison = std::string(comparison.name),
          .model = failure.model,
          .problem = failure.problem,
          .text = print(program),
          .suffix = ".weir",
          .commands = commands(comparison.name, failure.model, comparison.commands)};
}

Disagreement described(const Failure& failure, const array::ArraySystem& system) {
  const ArrayComparison& comparison = array_comparisons()[failure.comparison];
  return {.comparison = std::string(comparison.name),
          .model = failure.model,
          .problem = failure.problem,
          .text = print_array_system(system),
          .suffix = ".cub",
          .commands = commands(comparison.name, failure.model, comparison.commands)};
}

class Run {
 public:
  Run(const SelfcheckOptions& options, Context& context)
      : options_(options),
        context_(context),
        inputs_(options.seed, options.inputs, options.comparisons),
        end_(options.count ? options.first + *options.count : kNone),
        next_(options.first) {}

  SelfcheckResult run() {
    side_by_side(
        options_.jobs, [this](std::size_t i) { work(i == 0); },
        [this] { context_.request_stop(StopReason::kInterrupt); });
    if (failed_ != kNone) result_.disagreement = shrunk();
    return std::move(result_);
  }

 private:
  // Takes numbers until there are none left, or a smaller one failed.
  void work(bool tells_progress) {
    Ledger ledger;
    std::uint64_t finished = 0;
    while (!context_.stopped()) {
      const std::uint64_t number = next_++;
      if (number >= end_ || number > failed_) break;
      if (std::optional<Failure> failure = compare_input(inputs_.input(number), ledger))
        note(number, std::move(*failure));
      ++finished;
      ++done_;
      if (tells_progress) tell_progress();
    }
    const std::scoped_lock lock(mutex_);
    result_.ledger.add(ledger);
    result_.inputs += finished;
  }

  std::optional<Failure> compare_input(const RandomInput& random, Ledger& ledger) const {
    const Effort effort{.draw = random.draw};
    const auto made = [&](std::string_view comparison) { return inputs_.compares(comparison, random); };
    if (const auto* genome = std::get_if<Genome>(&random.input))
      return compare(build(*genome), options_.models, effort, made, ledger);
    return compare(std::get<array::ArraySystem>(random.input), effort, made, ledger);
  }

  void note(std::uint64_t number, Failure failure) {
    const std::scoped_lock lock(mutex_);
    if (number >= failed_) return;
    failed_ = number;
    failure_ = std::move(failure);
  }

  void tell_progress() {
    if (!context_.progress_due()) return;
    context_.report_progress(
        {.phase = "selfcheck", .states = done_, .unit = "programs", .expected = options_.count.value_or(0)});
  }

  Disagreement shrunk() {
    const RandomInput random = inputs_.input(failed_);
    Disagreement result = std::holds_alternative<Genome>(random.input)
                              ? shrunk(std::get<Genome>(random.input), random.draw)
                              : shrunk(std::get<array::ArraySystem>(random.input), random.draw);
    result.number = failed_;
    return result;
  }

  // The smaller input fails in the same comparison; a stop keeps what there is.
  Disagreement shrunk(const Genome& genome, std::uint64_t draw) {
    const ProgramComparison& comparison = program_comparisons()[failure_.comparison];
    const auto problem = [&](const Genome& smaller) {
      Ledger ignored;
      return problem_of(comparison, build(smaller), failure_.model, {.draw = draw}, ignored);
    };
    const Genome small = shrink_failing(genome, [&](const Genome& smaller) {
      tell_shrinking();
      return !context_.stopped() && !problem(smaller).empty();
    });
    if (std::string shown = problem(small); !shown.empty()) failure_.problem = std::move(shown);
    return described(failure_, build(small));
  }

  Disagreement shrunk(const array::ArraySystem& system, std::uint64_t draw) {
    const ArrayComparison& comparison = array_comparisons()[failure_.comparison];
    const auto problem = [&](const array::ArraySystem& smaller) {
      Ledger ignored;
      return problem_of(comparison, smaller, {.draw = draw}, ignored);
    };
    const array::ArraySystem small = shrink_failing(system, [&](const array::ArraySystem& smaller) {
      tell_shrinking();
      return !context_.stopped() && !problem(smaller).empty();
    });
    if (std::string shown = problem(small); !shown.empty()) failure_.problem = std::move(shown);
    return described(failure_, small);
  }

  void tell_shrinking() {
    ++tried_;
    if (context_.progress_due())
      context_.report_progress({.phase = "making the program smaller", .states = tried_, .unit = "programs"});
  }

  const SelfcheckOptions& options_;
  Context& context_;
  const RandomInputs inputs_;
  const std::uint64_t end_;
  std::atomic<std::uint64_t> next_, done_{0}, failed_{kNone};
  std::mutex mutex_;
  Failure failure_;  // that of `failed_`
  SelfcheckResult result_;
  std::uint64_t tried_ = 0;
};

}  // namespace

SelfcheckResult run_selfcheck(const SelfcheckOptions& options, Context& context) {
  return Run(options, context).run();
}

SelfcheckResult selfcheck_program(const Program& program, const SelfcheckOptions& options) {
  SelfcheckResult result{.inputs = 1};
  const auto made = [&](std::string_view name) {
    return options.comparisons.empty() || contains(options.comparisons, name);
  };
  const auto failure = compare(program, options.models, {.everything = true}, made, result.ledger);
  if (failure) result.disagreement = described(*failure, program);
  return result;
}

SelfcheckResult selfcheck_system(const array::ArraySystem& system, const SelfcheckOptions& options) {
  SelfcheckResult result{.inputs = 1};
  const auto made = [&](std::string_view name) {
    return options.comparisons.empty() || contains(options.comparisons, name);
  };
  const auto failure = compare(system, {.everything = true}, made, result.ledger);
  if (failure) result.disagreement = described(*failure, system);
  return result;
}

}  // namespace weir::selfcheck
