#include "cli/c_program.hpp"

#include <charconv>
#include <fmt/format.h>
#include <memory>

#include "frontend/c/c.hpp"
#include "program/address.hpp"
#ifdef WEIR_HAS_C
#include <dlfcn.h>
#endif

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
  for (const std::string& file : line.files)
    if (!is_c_path(file))
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
    for (const OptionId id : {OptionId::kNoSpurious, OptionId::kFailingMalloc, OptionId::kUnroll,
                              OptionId::kNondetRange, OptionId::kThreads})
      if (option.id == id && line.settings.given(id))
        return UsageError{fmt::format("{} is for C programs, and '{}' is none", long_name(option), line.file),
                          ""};
  return std::nullopt;
}

#ifdef WEIR_HAS_C

COptions c_options(const CommandLine& line, Context& context) {
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
          .threads = number(OptionId::kThreads),
          .context = &context};
}

using LoadC = Expected<Program>*(const std::vector<std::string>&, const COptions&);

InputError no_front_end(std::string message, std::string hint) {
  InputError error;
  error.diagnostics.push_back({Severity::kError, std::move(message), {}, std::move(hint)});
  return error;
}

// The module stays loaded: what it returns may have come from it.
Expected<LoadC*> front_end() {
  void* const module = dlopen("libweir_c.so", RTLD_NOW | RTLD_LOCAL);
  void* const symbol = module == nullptr ? nullptr : dlsym(module, "weir_load_c");
  if (symbol != nullptr) return reinterpret_cast<LoadC*>(symbol);
  return no_front_end(fmt::format("the part of Weir that reads C programs cannot be loaded: {}", dlerror()),
                      "libweir_c.so is installed in lib/weir, next to bin/weir");
}

#endif

}  // namespace

bool is_c_program(const CommandLine& line) {
  return line.command != Command::kReplay && line.settings.text(OptionId::kFormat) == "auto" &&
         is_c_path(line.file);
}

std::optional<UsageError> check_c_program(const CommandLine& line) {
  return is_c_program(line) ? check_c_options(line) : check_other(line);
}

std::optional<Diagnostic> c_front_end_problem() {
#ifdef WEIR_HAS_C
  if (auto load = front_end(); !load) return load.error().diagnostics.front();
  return std::nullopt;
#else
  return Diagnostic{Severity::kError,
                    "this Weir was built without LLVM",
                    {},
                    "install llvm-19-dev and clang-19, and build Weir again"};
#endif
}

Expected<Program> load_c_program(const CommandLine& line, [[maybe_unused]] Session& session) {
#ifdef WEIR_HAS_C
  session.enter("reading the C program");
  auto load = front_end();
  if (!load) return std::move(load.error());
  const std::unique_ptr<Expected<Program>> program((**load)(line.files, c_options(line, session.context())));
  session.go_on();
  session.enter("searching");
  return std::move(*program);
#else
  InputError error;
  const FileId file = error.sources.add(line.file, "");
  error.diagnostics.push_back({Severity::kError,
                               "this is a C program, and this Weir was built without LLVM",
                               {file},
                               "install llvm-19-dev and clang-19, and build Weir again"});
  return error;
#endif
}

}  // namespace weir::cli
