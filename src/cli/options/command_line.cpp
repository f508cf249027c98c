#include "cli/options/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <fmt/format.h>

#include "base/nearest_word.hpp"
#include "cli/loading.hpp"
#include "cli/suite/suite.hpp"

namespace weir::cli {

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> option_names(Command command) {
  std::vector<std::string> names{"--help"};
  for (const OptionDescription& option : option_table())
    if (applies(option, command)) names.emplace_back(long_name(option));
  return names;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandDescription& command : command_table()) names.emplace_back(command.name);
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

// What is wrong with the value of an option; nothing if it is fine.
std::optional<UsageError> check_value(const OptionDescription& option, const Settings& settings) {
  if (!settings.given(option.id)) return std::nullopt;
  const std::string_view name = long_name(option);
  const std::string_view value = settings.text(option.id);
  switch (option.kind) {
    case OptionKind::kChoice: {
      const auto choices = split(option.argument, '|');
      if (std::find(choices.begin(), choices.end(), value) != choices.end()) return std::nullopt;
      const std::string guess = guess_for(value, choices);
      return UsageError{fmt::format("{} cannot be '{}'", name, value),
                        guess.empty() ? "possible are " + joined(choices) : guess};
    }
    case OptionKind::kNumber:
      if (settings.number(option.id)) return std::nullopt;
      return UsageError{fmt::format("{} needs a whole number, not '{}'", name, value), ""};
    case OptionKind::kMegabytes:
      if (settings.megabytes(option.id)) return std::nullopt;
      return UsageError{fmt::format("{} cannot be '{}'", name, value),
                        "a positive number of megabytes, or as in 500M, 4G, 1T"};
    case OptionKind::kSeconds:
      if (settings.seconds(option.id)) return std::nullopt;
      return UsageError{fmt::format("{} needs a positive number of seconds, not '{}'", name, value), ""};
    default:
      if (!value.empty()) return std::nullopt;
      return UsageError{fmt::format("{} needs a value that is not empty", name), ""};
  }
}

// The CLI11 parser of one command, made from the table.
class Parser {
 public:
  explicit Parser(Command command) : command_(command) {
    app_.set_help_flag("");
    app_.allow_extras();
    app_.add_flag("-h,--help", help_);
    app_.add_option("FILE", files_);
    for (const OptionDescription& option : option_table()) {
      if (!applies(option, command)) continue;
      Slot& slot = slots_.emplace_back(Slot{&option, {}, false});
      if (option.kind == OptionKind::kFlag) {
        app_.add_flag(std::string(option.names), slot.flag);
      } else if (option.kind == OptionKind::kOptionalText) {
        app_.add_option(std::string(option.names), slot.values)->expected(0, 1);
      } else {
        app_.add_option(std::string(option.names), slot.values)->allow_extra_args(false);
      }
    }
  }

  Expected<CommandLine, UsageError> run(std::vector<std::string> arguments) {
    std::vector<std::string> compiler_arguments = split_off(arguments);
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    try {
      app_.parse(arguments);
    } catch (const CLI::ParseError& error) {
      return UsageError{sentence(error), see_help()};
    }
    CommandLine line{.command = command_, .compiler_arguments = std::move(compiler_arguments), .help = help_};
    if (help_) return line;
    if (auto error = check_extras()) return *error;
    if (!files_.empty()) line.file = files_.front();
    line.files = files_;
    for (Slot& slot : slots_) {
      if (auto error = check_repetition(slot)) return *error;
      if (slot.option->kind == OptionKind::kOptionalText && slot.values == std::vector<std::string>{""})
        slot.values = {"-"};
      line.settings.set(slot.option->id,
                        slot.flag ? std::vector<std::string>{"true"} : std::move(slot.values));
      if (auto error = check_value(*slot.option, line.settings)) return *error;
    }
    if (command_ == Command::kSelfcheck || command_ == Command::kBench)
      return line;  // several files are several programs
    if (auto error = check_single(line)) return *error;
    if (auto error = is_suite(line) ? check_suite(line) : check_c_program(line)) return *error;
    return line;
  }

 private:
  struct Slot {
    const OptionDescription* option;
    std::vector<std::string> values;
    bool flag;
  };

  // Takes what follows -- away from the arguments.
  static std::vector<std::string> split_off(std::vector<std::string>& arguments) {
    const auto separator = std::find(arguments.begin(), arguments.end(), "--");
    if (separator == arguments.end()) return {};
    std::vector<std::string> rest(separator + 1, arguments.end());
    arguments.erase(separator, arguments.end());
    return rest;
  }

  std::string see_help() const { return fmt::format("see weir {} --help", describe(command_).name); }

  static std::string sentence(const CLI::ParseError& error) {
    const std::string what = error.what();
    const std::size_t colon = what.find(':');
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && colon != std::string::npos)
      return what.substr(0, colon) + " needs a value";
    return what;
  }

  std::optional<UsageError> check_extras() const {
    for (const std::string& extra : app_.remaining())
      if (extra.size() > 1 && extra[0] == '-') {
        const std::string guess = guess_for(extra.substr(0, extra.find('=')), option_names(command_));
        return UsageError{fmt::format("weir {} has no option {}", describe(command_).name, extra),
                          guess.empty() ? see_help() : guess};
      }
    const bool takes_file = !describe(command_).arguments.empty();
    if (!takes_file && !files_.empty())
      return UsageError{
          fmt::format("weir {} takes no file, but there is '{}'", describe(command_).name, files_[0]),
          see_help()};
    const bool needs_file = takes_file && !describe(command_).arguments.starts_with('[');
    if (needs_file && files_.empty())
      return UsageError{fmt::format("weir {} needs a file", describe(command_).name), file_hint()};
    return std::nullopt;
  }

  // An option whose value may be left out takes the file for it.
  std::string file_hint() const {
    for (const Slot& slot : slots_)
      if (slot.option->kind == OptionKind::kOptionalText && !slot.values.empty() && !slot.values[0].empty())
        return fmt::format("{} took '{}'; write the file before it", long_name(*slot.option), slot.values[0]);
    return fmt::format("weir {} {}", describe(command_).name, describe(command_).arguments);
  }

  static std::optional<UsageError> check_repetition(const Slot& slot) {
    if (slot.option->kind == OptionKind::kList || slot.values.size() <= 1) return std::nullopt;
    return UsageError{fmt::format("{} is given more than once", long_name(*slot.option)), ""};
  }

  Command command_;
  CLI::App app_;
  bool help_ = false;
  std::vector<std::string> files_;
  std::deque<Slot> slots_;  // CLI11 keeps references to the members
};

}  // namespace

Expected<CommandLine, UsageError> parse_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return UsageError{"no command given", "commands are " + joined(command_names())};
  const std::string& word = arguments.front();
  for (const CommandDescription& command : command_table())
    if (command.name == word) return Parser(command.command).run({arguments.begin() + 1, arguments.end()});
  std::vector<std::string> candidates = command_names();
  const std::string all = joined(candidates);
  candidates.insert(candidates.end(), {"--help", "--version", "--man", "--completion"});
  const std::string guess = guess_for(word, candidates);
  return UsageError{fmt::format("there is no command '{}'", word),
                    guess.empty() ? "commands are " + all : guess};
}

std::string guess_for(std::string_view word, const std::vector<std::string>& candidates) {
  const auto found = nearest_word(word, candidates);
  return found ? fmt::format("did you mean {}?", *found) : "";
}

}  // namespace weir::cli
