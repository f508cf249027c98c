#include "cli/help.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir::cli {

namespace {

constexpr std::size_t kColumn = 26;
constexpr std::size_t kWidth = 100;

// The text broken into lines that start at the help column.
std::string wrapped(std::string_view text) {
  std::string out;
  std::size_t used = kColumn;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (used > kColumn && used + 1 + end > kWidth) {
      out += "\n" + std::string(kColumn, ' ');
      used = kColumn;
    } else if (used > kColumn) {
      out += ' ';
      ++used;
    }
    out += text.substr(0, end);
    used += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string help_line(std::string_view left, std::string_view right) {
  std::string out = fmt::format("  {}", left);
  out += out.size() + 2 > kColumn ? "\n" + std::string(kColumn, ' ') : std::string(kColumn - out.size(), ' ');
  return out + wrapped(right) + "\n";
}

}  // namespace

std::string synopsis(const OptionDescription& option) {
  const std::size_t comma = option.names.find(',');
  const std::string names =
      comma == std::string_view::npos
          ? std::string(option.names)
          : fmt::format("{}, {}", option.names.substr(0, comma), option.names.substr(comma + 1));
  return option.argument.empty() ? names : fmt::format("{} {}", names, option.argument);
}

std::string help_text(const OptionDescription& option) {
  if (option.fallback.empty()) return std::string(option.help);
  return fmt::format("{} (default: {})", option.help, option.fallback);
}

std::string general_help() {
  std::string out =
      "weir: is a concurrent program correct under SC, TSO and PSO?\n\nUsage: weir COMMAND FILE... "
      "[options] [-- compiler options]\n\n";
  for (const CommandDescription& command : command_table())
    out += help_line(fmt::format("{} {}", command.name, command.arguments), command.summary);
  out += help_line("COMMAND --help", "the options of a command");
  out += help_line("--man [COMMAND]", "the manual page, as in: weir --man check | man -l -");
  out +=
      help_line("--completion bash|zsh", "completes commands and options: source <(weir --completion bash)");
  out += help_line("--version", "the version");
  return out + "\n" + std::string(kSeveralFiles) + std::string(kExitCodes);
}

std::string command_help(Command command) {
  const CommandDescription& description = describe(command);
  std::string out = fmt::format("weir {}: {}\n\nUsage: weir {} {} [options]\n\n", description.name,
                                description.summary, description.name, description.arguments);
  for (const OptionDescription& option : option_table())
    if (applies(option, command)) out += help_line(synopsis(option), help_text(option));
  out += help_line("-h, --help", "this text");
  out += fmt::format("\nExample: {}\n", description.example);
  if (description.arguments.starts_with("FILE...")) out += kSeveralFiles;
  return out + std::string(kExitCodes);
}

}  // namespace weir::cli
