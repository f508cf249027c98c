#include "cli/options/selfcheck_options.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cli/options/question.hpp"

namespace weir::cli {

using selfcheck::SelfcheckOptions;

namespace {

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

}  // namespace

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

}  // namespace weir::cli
