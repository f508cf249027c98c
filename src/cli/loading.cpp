#include "cli/loading.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>

#include "cli/c_program.hpp"
#include "cli/commands/array.hpp"
#include "cli/instances.hpp"
#include "cli/outputs.hpp"
#include "frontend/imp/imp.hpp"
#include "frontend/litmus/litmus.hpp"
#include "frontend/rmm/rmm.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/text/text.hpp"
#include "program/validate.hpp"

namespace weir::cli {

namespace {

constexpr std::size_t kSniffed = 4096;
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

InputError about_file(const std::string& path, std::string message, std::string hint = {}) {
  InputError error;
  const FileId file = error.sources.add(path, "");
  error.diagnostics.push_back({Severity::kError, std::move(message), {file}, std::move(hint)});
  return error;
}

// The first word of a text, after blanks and comments.
std::string_view first_word(std::string_view text) {
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin);
    const bool is_block = text.starts_with("/*");
    if (!is_block && text[0] != '#' && !text.starts_with("//")) break;
    const std::size_t end = is_block ? text.find("*/") : text.find('\n');
    text.remove_prefix(std::min(end == std::string_view::npos ? end : end + (is_block ? 2 : 0), text.size()));
  }
  return text.substr(0, text.find_first_of(" \t\r\n"));
}

// Why the file cannot be read.
std::optional<InputError> file_problem(const std::string& path, const std::string& name,
                                       struct stat& status) {
  if (stat(name.c_str(), &status) != 0) return about_file(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return about_file(path, "this is a directory, not a file");
  if (static_cast<std::uint64_t>(status.st_size) > kLargestFile)
    return about_file(path, "this file is larger than 1 GB");
  return std::nullopt;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

Format by_suffix(std::string_view path) {
  static constexpr std::array kSuffixes = {std::pair{std::string_view(".weir"), Format::kWeir},
                                           std::pair{std::string_view(".trn"), Format::kTrencher},
                                           std::pair{std::string_view(".imp"), Format::kImp},
                                           std::pair{std::string_view(".rmm"), Format::kRmm},
                                           std::pair{std::string_view(".litmus"), Format::kLitmus},
                                           std::pair{std::string_view(".json"), Format::kReplay}};
  for (const auto& [suffix, format] : kSuffixes)
    if (path.ends_with(suffix)) return format;
  return Format::kUnknown;
}

Format by_content(std::string_view text) {
  const std::string_view word = first_word(text.substr(0, kSniffed));
  if (word == "weir") return Format::kWeir;
  if (word == "program") return Format::kImp;
  if (word == "forbidden") return Format::kRmm;
  if (word == "X86" || word == "X86_64" || word == "C") return Format::kLitmus;
  if (word == "thread" || word == "memory" || word == "name" || word == "memory_size")
    return Format::kTrencher;
  if (word.starts_with('{')) return Format::kReplay;
  return Format::kUnknown;
}

Expected<Program> parse_as(Format format, const Settings& settings, const std::string& path,
                           std::string text) {
  switch (format) {
    case Format::kWeir: return parse_program_text(path, std::move(text));
    case Format::kTrencher: return parse_trencher(path, std::move(text));
    case Format::kImp: return parse_imp(path, std::move(text));
    case Format::kRmm:
      return parse_rmm(
          path, std::move(text),
          settings.text(OptionId::kOutsideRange) == "fail" ? OutsideRange::kFails : OutsideRange::kBlocks);
    case Format::kLitmus: {
      auto test = parse_litmus(path, std::move(text));
      if (!test) return std::move(test.error());
      return std::move(test->program);
    }
    case Format::kReplay:
      return about_file(path, "this looks like a replay file, not like a program",
                        fmt::format("try: weir explain {}", path));
    case Format::kC:
    case Format::kUnknown: break;
  }
  return about_file(
      path, "the format of this file is not known",
      "formats are weir (.weir), trencher (.trn, .txt), imp (.imp), rmm (.rmm), litmus (.litmus), array "
      "systems (.cub) and C (.c, .cpp, .i, .ll, .bc); "
      "--format chooses one of the first six");
}

Expected<Program> validated(Expected<Program> program);

// The instance of an array system with the number of processes that was asked for.
Expected<Program> load_instance(const CommandLine& line) {
  std::optional<std::uint64_t> processes;
  if (line.command == Command::kConvert) {
    processes = line.settings.number(OptionId::kProcesses);
  } else if (auto copies = instances(line); copies.ok() && copies->number) {
    processes = *copies->number;
  }
  if (!processes)
    return about_file(line.file, "a system of any number of processes is no program",
                      line.command == Command::kConvert
                          ? "--processes N makes it one"
                          : "to make it one: weir convert FILE --processes 3 --to weir");
  return validated(load_array_instance(line, *processes));
}

Expected<Program> validated(Expected<Program> program) {
  if (!program) return program;
  auto mistakes = validate(*program);
  if (!mistakes.empty()) return InputError{std::move(program->sources), std::move(mistakes)};
  return program;
}

}  // namespace

Format recognise(std::string_view path, std::string_view text) {
  const Format format = by_suffix(path);
  return format != Format::kUnknown ? format : by_content(text);
}

Format program_format(const CommandLine& line, std::string_view text) {
  if (is_c_program(line)) return Format::kC;
  const std::string_view format = line.settings.text(OptionId::kFormat);
  if (format == "weir") return Format::kWeir;
  if (format == "trencher") return Format::kTrencher;
  if (format == "imp") return Format::kImp;
  if (format == "rmm") return Format::kRmm;
  if (format == "litmus") return Format::kLitmus;
  return recognise(line.file, text);
}

Expected<std::string> read_file(const std::string& path) {
  const std::string name = path == "-" ? "/dev/stdin" : path;
  struct stat status {};
  if (auto problem = file_problem(path, name, status)) return std::move(*problem);
  const File file(std::fopen(name.c_str(), "rb"));
  if (!file) return about_file(path, std::strerror(errno));
  std::string text(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t used = 0;
  while (const std::size_t got = std::fread(text.data() + used, 1, text.size() - used, file.get())) {
    used += got;
    if (used > kLargestFile) return about_file(path, "this file is larger than 1 GB");
    if (used == text.size()) text.resize(2 * used);  // a pipe, or a file that grows
  }
  if (std::ferror(file.get()) != 0) return about_file(path, std::strerror(errno));
  text.resize(used);
  return text;
}

namespace {

// Which files a C program has, headers too, is known when it is loaded.
Expected<Program> not_overwritten(const CommandLine& line, Expected<Program> program) {
  if (!program) return program;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < program->sources.size(); ++i)
    files.push_back(program->sources.file(FileId(i)).path);
  const auto mistake = check_outputs(line, files);
  if (!mistake) return program;
  return InputError{{}, {{Severity::kError, mistake->message, {}, mistake->hint}}, ""};
}

}  // namespace

Expected<Program> load_program(const CommandLine& line, Session& session) {
  if (is_array_system(line)) return load_instance(line);
  if (is_c_program(line)) {
    for (const std::string& path : line.files) {
      struct stat status {};
      if (auto problem = file_problem(path, path, status)) return std::move(*problem);
    }
    return not_overwritten(line, validated(load_c_program(line, session)));
  }
  auto text = read_file(line.file);
  if (!text) return std::move(text.error());
  return parse_program(line, std::move(*text));
}

Expected<Program> parse_program(const CommandLine& line, std::string text) {
  if (is_blank(text)) return about_file(line.file, "this file is empty");
  if (std::string_view(text).substr(0, kSniffed).find('\0') != std::string_view::npos)
    return about_file(line.file, "this is a binary file, not the text of a program");
  const Format format = program_format(line, text);
  return validated(parse_as(format, line.settings, line.file, std::move(text)));
}

}  // namespace weir::cli
