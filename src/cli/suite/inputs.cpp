#include "cli/suite/inputs.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace weir::cli {

namespace {

// Inputs may come from anywhere: they may not write files, start suites, or run what was compiled.
constexpr std::array kRefused = {OptionId::kWitness, OptionId::kDot,         OptionId::kExecutionDot,
                                 OptionId::kSvg,     OptionId::kSarif,       OptionId::kHtml,
                                 OptionId::kPlot,    OptionId::kCertificate, OptionId::kSvcompWitness,
                                 OptionId::kJunit,   OptionId::kExpected,    OptionId::kSuite,
                                 OptionId::kSingle,  OptionId::kNative};

// What is wrong with the options that an input has: they are read as on a command line, where they may say
// nothing but how the input is to be checked.
std::optional<UsageError> options_mistake(const suite::Input& input) {
  const std::string_view command = input.litmus ? "outcomes" : "check";
  std::vector<std::string> words{std::string(command), input.file};
  words.insert(words.end(), input.options.begin(), input.options.end());
  const std::string hint = "give it on the command line";
  for (const std::string& word : input.options)
    if (word == "--") return UsageError{"an input cannot ask for --", hint};
  if (!input.litmus) words.emplace_back("--single");
  const auto line = parse_command_line(words);
  for (const OptionDescription& option : option_table())
    if (std::ranges::find(kRefused, option.id) != kRefused.end())
      for (const std::string& word : input.options)
        if (word.substr(0, word.find('=')) == long_name(option))
          return UsageError{fmt::format("an input cannot ask for {}", word), hint};
  if (!line) return line.error();
  if (line.value().help) return UsageError{"an input cannot ask for --help", hint};
  if (line.value().files.size() != 1)
    return UsageError{fmt::format("'{}' is no option", line.value().files[1]),
                      "more files of a C program: with: other.c"};
  return std::nullopt;
}

}  // namespace

Expected<std::vector<suite::Input>> suite_inputs(const CommandLine& line) {
  suite::Places places{.paths = line.files, .manifest = {}, .options_mistake = {}};
  if (line.settings.given(OptionId::kExpected))
    places.manifest = std::string(line.settings.text(OptionId::kExpected));
  places.options_mistake = [](const suite::Input& input) -> std::optional<Diagnostic> {
    const auto mistake = options_mistake(input);
    if (!mistake) return std::nullopt;
    return Diagnostic{Severity::kError, mistake->message, {}, mistake->hint};
  };
  return suite::collect_inputs(places);
}

}  // namespace weir::cli
