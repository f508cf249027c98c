#include "cli/loading.hpp"

#include <charconv>
#include <fmt/format.h>

#include "cli/instances.hpp"
#include "cli/outputs.hpp"
#include "program/address.hpp"

namespace weir::cli {

namespace {

constexpr std::uint64_t kMostRepetitions = 1'000'000'000;
constexpr std::uint64_t kMostChoices = 65'536;

struct Range {
  Value low = 0, high = 0;
};

// "-1..5"
std::optional<Range> parse_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view word, Value& value) {
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    return !word.empty() && error == std::errc() && stop == end;
  };
  Range range;
  if (!number(text.substr(0, dots), range.low) || !number(text.substr(dots + 2), range.high))
    return std::nullopt;
  return range;
}

std::optional<UsageError> check_nondet_range(std::string_view text) {
  const auto range = parse_range(text);
  if (!range)
    return UsageError{fmt::format("--nondet-range cannot be '{}'", text), "as in --nondet-range 0..3"};
  if (range->low > range->high)
    return UsageError{fmt::format("--nondet-range {}: there is no value in this range", text), ""};
  if (static_cast<std::uint64_t>(range->high) - static_cast<std::uint64_t>(range->low) >= kMostChoices)
    return UsageError{
        fmt::format("--nondet-range {}: each value is tried, so there can be at most {}", text, kMostChoices),
        ""};
  return std::nullopt;
}

std::optional<UsageError> check_limit(const Settings& settings, OptionId id, std::string_view name,
                                      std::uint64_t most) {
  const auto value = settings.number(id);
  if (!value || (*value > 0 && *value <= most)) return std::nullopt;
  return UsageError{fmt::format("{} needs a number from 1 to {}, not {}", name, most, *value), ""};
}

std::optional<UsageError> check_c_options(const CommandLine& line) {
  const bool by_suffix = line.settings.text(OptionId::kFormat) == "auto";
  for (const std::string& file : line.files)
    if (by_suffix && !is_c_path(file))
      return UsageError{fmt::format("'{}' is no C file, but '{}' is", file, line.file),
                        "several files must be parts of one C program"};
  if (auto error = check_limit(line.settings, OptionId::kThreads, "--threads", kMostAllocatingThreads))
    return error;
  if (auto error = check_limit(line.settings, OptionId::kUnroll, "--unroll", kMostRepetitions)) return error;
  return check_nondet_range(line.settings.text(OptionId::kNondetRange));
}

// The command is about something else; so nothing may be given that would have no meaning.
std::optional<UsageError> check_other(const CommandLine& line) {
  if (line.files.size() > 1)
    return UsageError{fmt::format("weir {} takes one file, but there is also '{}'",
                                  describe(line.command).name, line.files[1]),
                      "only a C program can have several"};
  if (!line.compiler_arguments.empty())
    return UsageError{
        fmt::format("what follows -- goes to the C compiler, but '{}' is no C program", line.file), ""};
  for (const OptionDescription& option : option_table())
    for (const OptionId id : {OptionId::kNoSpurious, OptionId::kFailingMalloc, OptionId::kStrict,
                              OptionId::kUnroll, OptionId::kNondetRange, OptionId::kThreads})
      if (option.id == id && line.settings.given(id))
        return UsageError{fmt::format("{} is for C programs, and '{}' is none", long_name(option), line.file),
                          ""};
  return std::nullopt;
}

COptions c_options(const CommandLine& line) {
  const Settings& settings = line.settings;
  const auto number = [&](OptionId id) {
    return static_cast<std::uint32_t>(settings.number(id).value_or(0));
  };
  const Range range = parse_range(settings.text(OptionId::kNondetRange)).value();
  return {.compiler_arguments = line.compiler_arguments,
          .unroll = number(OptionId::kUnroll),
          .nondet_low = range.low,
          .nondet_high = range.high,
          .process_ends = line.command == Command::kCheck || line.command == Command::kExplain,
          .spurious_wakeups = !settings.flag(OptionId::kNoSpurious) && line.command != Command::kExplore,
          .chance_failures = line.command != Command::kExplore,
          .failing_malloc = settings.flag(OptionId::kFailingMalloc),
          .races = settings.flag(OptionId::kRaces),
          .strict = settings.flag(OptionId::kStrict),
          .threads = number(OptionId::kThreads)};
}

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
  auto system = verify::load_array_system(line.file);
  if (!system) return std::move(system.error());
  return verify::array_instance(std::move(*system), *processes);
}

// Which files a C program has, headers too, is known when it is loaded.
std::optional<InputError> overwritten(const CommandLine& line, const SourceMap& sources) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < sources.size(); ++i) files.push_back(sources.file(FileId(i)).path);
  const auto mistake = check_outputs(line, files);
  if (!mistake) return std::nullopt;
  return InputError{{}, {{Severity::kError, mistake->message, {}, mistake->hint}}, ""};
}

}  // namespace

bool is_c_program(const CommandLine& line) {
  const std::string_view format = line.settings.text(OptionId::kFormat);
  return line.command != Command::kReplay && (format == "c" || (format == "auto" && is_c_path(line.file)));
}

bool is_array_system(const CommandLine& line) {
  const std::string_view format = line.settings.text(OptionId::kFormat);
  return format == "array" || (format == "auto" && verify::is_array_path(line.file));
}

std::optional<UsageError> check_c_program(const CommandLine& line) {
  return is_c_program(line) ? check_c_options(line) : check_other(line);
}

verify::Source source(const CommandLine& line) {
  verify::Source result{.files = line.files, .language = std::string(line.settings.text(OptionId::kFormat))};
  if (line.settings.text(OptionId::kOutsideRange) == "fail")
    result.dialect.outside_range = OutsideRange::kFails;
  if (is_c_program(line)) result.c = c_options(line);
  return result;
}

Expected<Program> load_program(const CommandLine& line, Session& session) {
  if (is_array_system(line)) return load_instance(line);
  auto loaded = load_source(line, session);
  if (!loaded) return std::move(loaded.error());
  return std::move(loaded->program);
}

Expected<verify::Loaded> load_source(const CommandLine& line, Session& session) {
  const bool compiled = is_c_program(line);
  if (compiled) session.enter("reading the C program");
  auto loaded = verify::load(source(line), session.context());
  if (!compiled) return loaded;
  session.go_on();
  session.enter("searching");
  if (!loaded) return loaded;
  if (auto problem = overwritten(line, loaded->program.sources)) return std::move(*problem);
  return loaded;
}

}  // namespace weir::cli
