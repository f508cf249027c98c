// weir selfcheck: random programs, or those that are given, through every engine that applies. The answers
// must agree; if they do not, the smallest program that shows it is written to a file, with commands that
// show it again.
#include "selfcheck/selfcheck.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "cli/commands/array.hpp"
#include "cli/commands/commands.hpp"
#include "cli/console.hpp"
#include "cli/loading.hpp"
#include "cli/options/question.hpp"
#include "cli/outputs.hpp"
#include "cli/session.hpp"
#include "report/exit_code.hpp"
#include "selfcheck/selfcheck_report.hpp"

namespace weir::cli {

namespace {

using selfcheck::Disagreement;
using selfcheck::SelfcheckOptions;
using selfcheck::SelfcheckResult;

constexpr std::uint64_t kMostParts = 8;     // threads, variables, instructions
constexpr std::uint64_t kLargestValue = 3;  // variables have two bits

// The words of a list, or what is wrong with it.
Expected<std::vector<std::string>, UsageError> words(const Settings& settings, OptionId id,
                                                     std::string_view option,
                                                     const std::vector<std::string>& possible) {
  std::vector<std::string> result;
  std::string_view rest = settings.text(id);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string word(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (std::ranges::find(possible, word) == possible.end())
      return UsageError{fmt::format("{} cannot be '{}'", option, word),
                        fmt::format("possible are {}", fmt::join(possible, ", "))};
    result.push_back(word);
  }
  return result;
}

std::optional<UsageError> read_number(const Settings& settings, OptionId id, std::string_view option,
                                      std::uint64_t most, std::optional<std::uint8_t>& number) {
  const auto given = settings.number(id);
  if (!given) return std::nullopt;
  if (*given < 1 || *given > most)
    return UsageError{fmt::format("{} needs a number from 1 to {}, not {}", option, most, *given), ""};
  number = static_cast<std::uint8_t>(*given);
  return std::nullopt;
}

std::optional<UsageError> read_inputs(const Settings& settings, selfcheck::InputOptions& inputs) {
  if (auto wrong = read_number(settings, OptionId::kMostThreads, "--threads", kMostParts, inputs.threads))
    return wrong;
  if (auto wrong =
          read_number(settings, OptionId::kMostVariables, "--variables", kMostParts, inputs.variables))
    return wrong;
  if (auto wrong = read_number(settings, OptionId::kMostValues, "--values", kLargestValue, inputs.values))
    return wrong;
  if (auto wrong = read_number(settings, OptionId::kMostInstructions, "--instructions", kMostParts,
                               inputs.instructions))
    return wrong;
  if (!settings.given(OptionId::kFeatures)) return std::nullopt;
  auto features = words(settings, OptionId::kFeatures, "--features", selfcheck::feature_names());
  if (!features) return features.error();
  inputs.features = std::move(*features);
  return std::nullopt;
}

std::vector<std::string> possible_models() {
  std::vector<std::string> names;
  for (const Model model : all_models()) names.emplace_back(name(model));
  return names;
}

Expected<SelfcheckOptions, UsageError> selfcheck_options(const Settings& settings) {
  SelfcheckOptions options;
  options.seed = settings.number(OptionId::kSeed).value();
  options.first = settings.number(OptionId::kSelfcheckFirst).value();
  options.count = settings.number(OptionId::kSelfcheckCount);
  options.jobs = jobs(settings);
  auto engines = words(settings, OptionId::kSelfcheckEngines, "--engines", selfcheck::comparison_names());
  if (!engines) return engines.error();
  options.comparisons = std::move(*engines);
  auto models = words(settings, OptionId::kSelfcheckModels, "--models", possible_models());
  if (!models) return models.error();
  options.models.clear();
  for (const std::string& model : *models) options.models.push_back(parse_model(model).value());
  if (auto wrong = read_inputs(settings, options.inputs)) return *wrong;
  return options;
}

std::string with_file(std::string command, const std::string& file) {
  command.replace(command.find("{file}"), 6, file);
  return command;
}

// Writes the program, and how it can be seen again, into it as comments.
std::optional<Diagnostic> write(Disagreement& found, const Settings& settings, std::string& file) {
  const std::filesystem::path folder(settings.text(OptionId::kSelfcheckOutput));
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  file = (folder / fmt::format("selfcheck-{}-{}-{}{}", found.comparison,
                               settings.number(OptionId::kSeed).value(), found.number, found.suffix))
             .string();
  for (std::string& command : found.commands) command = with_file(command, file);
  return write_file(file, selfcheck_file(found));
}

int finish(const CommandLine& line, SelfcheckResult result, RunInfo info, std::string file,
           Session& session) {
  const Settings& settings = line.settings;
  if (result.disagreement && file.empty()) {
    deliver(line, [&] { return write(*result.disagreement, settings, file); });
  } else if (result.disagreement) {
    for (std::string& command : result.disagreement->commands) command = with_file(command, file);
  }
  const selfcheck::SelfcheckReport report{result, file};
  const int code = result.disagreement ? kInternal : kDone;
  if (settings.flag(OptionId::kJson)) return session.answer(selfcheck_json(report, info), code);
  std::string text = selfcheck_text(report, info, settings.flag(OptionId::kQuiet));
  if (settings.flag(OptionId::kVerbose)) text += selfcheck_times(result.ledger);
  return session.answer(text, code);
}

// One of the files that are given.
Expected<SelfcheckResult> check_file(CommandLine line, const SelfcheckOptions& options, Session& session) {
  if (is_array_system(line)) {
    auto system = verify::load_array_system(line.file);
    if (!system) return std::move(system.error());
    return selfcheck_system(*system, options);
  }
  auto program = load_program(line, session);
  if (!program) return std::move(program.error());
  return selfcheck_program(*program, options);
}

int run_files(const CommandLine& line, const SelfcheckOptions& options, Session& session) {
  SelfcheckResult all;
  std::string disagreeing;
  for (const std::string& file : line.files) {
    CommandLine one = line;
    one.file = file;
    one.files = {file};
    auto result = check_file(std::move(one), options, session);
    if (!result) return fail_input(line, result.error());
    all.inputs += 1;
    all.ledger.add(result->ledger);
    all.disagreement = std::move(result->disagreement);
    if (all.disagreement) disagreeing = file;
    if (all.disagreement || session.context().stopped()) break;
  }
  RunInfo info = run_info(line, Model::kTso);
  note_cost(info, session.context());
  return finish(line, std::move(all), std::move(info), std::move(disagreeing), session);
}

}  // namespace

int run_selfcheck(const CommandLine& line, Session& session) {
  auto options = selfcheck_options(line.settings);
  if (!options) return fail_usage(line, options.error());
  if (!line.files.empty()) return run_files(line, *options, session);
  RunInfo info = run_info(line, Model::kTso);
  session.enter("comparing engines");
  SelfcheckResult result = selfcheck::run_selfcheck(*options, session.context());
  note_cost(info, session.context());
  return finish(line, std::move(result), std::move(info), "", session);
}

}  // namespace weir::cli
