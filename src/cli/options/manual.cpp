// Manual pages in man(7) format, and the options of a command in Markdown, which docs/manual/ contains
// (scripts/manual.sh writes them there).
#include <cctype>
#include <fmt/format.h>

#include "cli/options/help.hpp"

namespace weir::cli {

namespace {

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '-') out += '\\';
    out += c;
  }
  return out;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::string commands_of(const OptionDescription& option) {
  std::string out;
  for (const CommandDescription& command : command_table())
    if (applies(option, command.command)) out += fmt::format("{}{}", out.empty() ? "" : ", ", command.name);
  return out;
}

std::string exit_status() { return ".SH EXIT STATUS\n" + roff(kExitCodes.substr(kExitCodes.find(':') + 2)); }

// A bar would end the cell of the table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string manual_page(std::string_view version) {
  std::string out = fmt::format(
      ".TH WEIR 1 \"\" \"weir {}\"\n.SH NAME\nweir \\- verify concurrent programs under SC, TSO and PSO\n"
      ".SH SYNOPSIS\n.B weir\nCOMMAND FILE... [options] [\\-\\- compiler options]\n.SH COMMANDS\n"
      "Each has a page of its own, such as \\fBweir\\-check\\fR(1).\n",
      version);
  for (const CommandDescription& command : command_table())
    out += fmt::format(".TP\n.B {} {}\n{}\n", command.name, roff(command.arguments), roff(command.summary));
  out += ".SH OPTIONS\n";
  for (const OptionDescription& option : option_table())
    out += fmt::format(".TP\n.B {}\n{}. Commands: {}.\n", roff(synopsis(option)), roff(help_text(option)),
                       commands_of(option));
  return out + ".SH C PROGRAMS\n" + roff(kSeveralFiles) + exit_status();
}

std::string manual_page(Command command, std::string_view version) {
  const CommandDescription& description = describe(command);
  std::string out = fmt::format(
      ".TH WEIR\\-{} 1 \"\" \"weir {}\"\n.SH NAME\nweir\\-{} \\- {}\n.SH SYNOPSIS\n.B weir {}\n{} [options]\n"
      ".SH OPTIONS\n",
      upper(description.name), version, description.name, roff(description.summary), description.name,
      roff(description.arguments));
  for (const OptionDescription& option : option_table())
    if (applies(option, command))
      out += fmt::format(".TP\n.B {}\n{}.\n", roff(synopsis(option)), roff(help_text(option)));
  if (description.arguments.starts_with("FILE...")) out += ".SH C PROGRAMS\n" + roff(kSeveralFiles);
  out += fmt::format(".SH EXAMPLE\n.nf\n{}\n.fi\n", roff(description.example));
  return out + exit_status() + ".SH SEE ALSO\n\\fBweir\\fR(1)\n";
}

std::string options_markdown(Command command) {
  std::string out = "| option | meaning |\n| --- | --- |\n";
  for (const OptionDescription& option : option_table())
    if (applies(option, command))
      out += fmt::format("| `{}` | {} |\n", cell(synopsis(option)), cell(help_text(option)));
  return out;
}

}  // namespace weir::cli
