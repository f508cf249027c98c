// Completion of commands, options and their values, for bash and zsh. The scripts contain the option table,
// so they need not run weir.
#include <algorithm>
#include <fmt/format.h>

#include "cli/options/help.hpp"

namespace weir::cli {

namespace {

std::string words(std::string_view choices) {
  std::string out(choices);
  std::replace(out.begin(), out.end(), '|', ' ');
  return out;
}

std::string command_words() {
  std::string out;
  for (const CommandDescription& command : command_table())
    out += fmt::format("{}{}", out.empty() ? "" : " ", command.name);
  return out;
}

std::string option_words(Command command) {
  std::string out;
  for (const OptionDescription& option : option_table())
    if (applies(option, command)) out += fmt::format("{} ", long_name(option));
  return out + "--help";
}

// What may follow an option: one of the choices, or a file, or something that only the user knows.
enum class Following { kChoices, kFile, kAnything };

Following following(const OptionDescription& option) {
  if (option.kind == OptionKind::kChoice) return Following::kChoices;
  const bool file = option.argument.find("FILE") != std::string_view::npos ||
                    option.argument.find("DIR") != std::string_view::npos;
  return file ? Following::kFile : Following::kAnything;
}

// "check --model": only what differs from completing a file has a line.
std::string bash_values() {
  std::string out;
  for (const CommandDescription& command : command_table())
    for (const OptionDescription& option : option_table()) {
      if (!applies(option, command.command) || option.kind == OptionKind::kFlag) continue;
      const Following what = following(option);
      if (what == Following::kFile) continue;
      out += fmt::format("    '{} {}') values='{}' ;;\n", command.name, long_name(option),
                         what == Following::kChoices ? words(option.argument) : "");
    }
  return out;
}

// For zsh's _arguments, inside single quotes.
std::string zsh_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zsh_option(const OptionDescription& option) {
  const std::string_view name = long_name(option);
  const std::string repeated = option.kind == OptionKind::kList ? "*" : "";
  std::string out = fmt::format("'{}{}[{}]", repeated, name, zsh_quoted(option.help));
  if (option.kind != OptionKind::kFlag) {
    const Following what = following(option);
    const std::string values = what == Following::kChoices ? fmt::format("({})", words(option.argument))
                               : what == Following::kFile  ? "_files"
                                                           : " ";
    out += fmt::format(":{}:{}", zsh_quoted(option.kind == OptionKind::kChoice ? "value" : option.argument),
                       values);
  }
  return out + "'";
}

}  // namespace

std::string bash_completion() {
  std::string out =
      "# Completion of weir for bash.\n"
      "_weir() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
      "command=${COMP_WORDS[1]}\n"
      "  local values='(file)'\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  out +=
      fmt::format("    COMPREPLY=($(compgen -W '{} --help --man --completion --version' -- \"$current\"))\n",
                  command_words());
  out +=
      "    return\n"
      "  fi\n"
      "  if [ \"$current\" = = ]; then\n"
      "    current=''\n"
      "  elif [ \"$before\" = = ]; then\n"
      "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  case \"$command $before\" in\n";
  out += "    '--completion --completion') values='bash zsh' ;;\n";
  out += bash_values();
  out +=
      "  esac\n"
      "  if [ \"$values\" != '(file)' ]; then\n"
      "    COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case $current in\n"
      "    -*)\n"
      "      case $command in\n";
  for (const CommandDescription& command : command_table())
    out += fmt::format("        {}) values='{}' ;;\n", command.name, option_words(command.command));
  return out +
         "      esac\n"
         "      COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
         "      ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _weir weir\n";
}

std::string zsh_completion() {
  std::string out =
      "#compdef weir\n"
      "# Completion of weir for zsh.\n"
      "_weir() {\n"
      "  if (( CURRENT == 2 )); then\n"
      "    local -a commands=(\n";
  for (const CommandDescription& command : command_table())
    out += fmt::format("      '{}:{}'\n", command.name, zsh_quoted(command.summary));
  out +=
      "    )\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const CommandDescription& command : command_table()) {
    out += fmt::format("    {})\n      _arguments -s \\\n", command.name);
    for (const OptionDescription& option : option_table())
      if (applies(option, command.command)) out += fmt::format("        {} \\\n", zsh_option(option));
    out += fmt::format("        '--help[the options of this command]'{}\n      ;;\n",
                       command.arguments.empty() ? "" : " \\\n        '*:file:_files'");
  }
  out += "    --completion) _values shell bash zsh ;;\n";
  return out +
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _weir ]; then\n"
         "  _weir \"$@\"\n"
         "else\n"
         "  compdef _weir weir\n"
         "fi\n";
}

}  // namespace weir::cli
