#include "cli/outputs.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unistd.h>

namespace weir::cli {

namespace {

using enum OptionId;

constexpr std::array kOutputFiles = {kWitness,         kCertificate,   kDot,  kExecutionDot, kSvg,   kHtml,
                                     kSarif,           kSvcompWitness, kPlot, kJunit,        kPatch, kOutput,
                                     kEmitInstrumented};
constexpr std::array kOutputFolders = {kOutputFolder, kSelfcheckOutput};
constexpr std::array kInputFiles = {kPairs, kAutomaton, kLabels, kRandomVertices, kExpected, kCost};

// A file, and how the user calls it.
struct NamedFile {
  std::string name;  // "--html"; of inputs and streams in plain words
  std::string path;
};

std::vector<NamedFile> files_of(const CommandLine& line, std::span<const OptionId> options) {
  std::vector<NamedFile> files;
  for (const OptionDescription& option : option_table())
    if (applies(option, line.command) && line.settings.given(option.id) &&
        std::ranges::find(options, option.id) != options.end())
      files.push_back({std::string(long_name(option)), std::string(line.settings.text(option.id))});
  std::erase_if(files, [](const NamedFile& file) { return file.path == "-"; });
  return files;
}

std::vector<std::string> inputs_of(const CommandLine& line) {
  std::vector<std::string> inputs = line.files;
  for (const NamedFile& file : files_of(line, kInputFiles)) inputs.push_back(file.path);
  if (line.command == Command::kFair && line.file.ends_with(".tra"))
    inputs.push_back(line.file.substr(0, line.file.size() - 4) + ".lab");
  return inputs;
}

std::optional<UsageError> check_among_themselves(const std::vector<NamedFile>& outputs) {
  for (auto file = outputs.begin(); file != outputs.end(); ++file) {
    for (auto other = outputs.begin(); other != file; ++other)
      if (same_file(file->path, other->path))
        return UsageError{
            fmt::format("{} and {} would write the same file, '{}'", other->name, file->name, file->path),
            "give each a file of its own"};
    if (is_stream(file->path, STDOUT_FILENO) || is_stream(file->path, STDERR_FILENO))
      return UsageError{fmt::format("{} would overwrite '{}', where the answer goes", file->name, file->path),
                        "give it a file of its own"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::variant<UsageError, Diagnostic>> check_outputs(const CommandLine& line) {
  const std::vector<NamedFile> outputs = files_of(line, kOutputFiles);
  if (auto error = check_among_themselves(outputs)) return *error;
  if (auto error = check_outputs(line, inputs_of(line))) return *error;
  for (const NamedFile& file : outputs)
    if (auto problem = writing_problem(file.path)) return *problem;
  for (const NamedFile& file : files_of(line, kOutputFolders))
    if (auto problem = folder_problem(file.path)) return *problem;
  return std::nullopt;
}

std::optional<UsageError> check_outputs(const CommandLine& line, const std::vector<std::string>& inputs) {
  for (const NamedFile& file : files_of(line, kOutputFiles))
    for (const std::string& input : inputs)
      if (input == "-" ? is_stream(file.path, STDIN_FILENO)
                       : access(input.c_str(), F_OK) == 0 && same_file(file.path, input))
        return UsageError{fmt::format("{} would overwrite the input '{}'", file.name, input),
                          "give it another file"};
  return std::nullopt;
}

}  // namespace weir::cli
