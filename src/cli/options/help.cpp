#include "cli/options/help.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "cli/console.hpp"

namespace weir::cli {

namespace {

constexpr std::size_t kWidest = 100;

// Help for a terminal of a given width.
class Layout {
 public:
  explicit Layout(std::size_t width) : width_(std::min(width, kWidest)), column_(width_ >= 60 ? 26 : 6) {}

  // A paragraph, whose lines end before the width does.
  std::string paragraph(std::string_view text) const {
    if (text.ends_with('\n')) text.remove_suffix(1);
    return wrapped(text, 0, 0) + "\n";
  }

  // An option or command, and beside or below it what it is.
  std::string entry(std::string_view left, std::string_view right) const {
    std::string out = "  " + wrapped(left, 2, 4);
    const bool beside = out.size() + 2 <= column_ && out.find('\n') == std::string::npos;
    out += beside ? std::string(column_ - out.size(), ' ') : "\n" + std::string(column_, ' ');
    return out + wrapped(right, column_, column_) + "\n";
  }

 private:
  // Up to the next place where a line may be broken: a blank, or behind a bar or a comma in a long word.
  std::size_t next_part(std::string_view text) const {
    const std::size_t blank = std::min(text.find(' '), text.size());
    if (blank <= width_ / 2) return blank;
    const std::size_t bar = std::min(text.find_first_of("|,") + 1, text.size());
    return std::min({blank, bar == 0 ? blank : bar, width_ / 2});
  }

  // `used` columns are taken already; further lines begin at `indent`.
  std::string wrapped(std::string_view text, std::size_t used, std::size_t indent) const {
    std::string out;
    bool blank = false;  // one is due before the next part
    for (bool first = true; !text.empty(); first = false) {
      const std::size_t end = next_part(text);
      if (!first && used + (blank ? 1 : 0) + end > width_) {
        out += "\n" + std::string(indent, ' ');
        used = indent;
      } else if (blank) {
        out += ' ';
        ++used;
      }
      out += text.substr(0, end);
      used += end;
      text.remove_prefix(end);
      blank = text.starts_with(' ');
      if (blank) text.remove_prefix(1);
    }
    return out;
  }

  std::size_t width_, column_;
};

}  // namespace

namespace {

// What the first screen of help shows, in this order. Commands that are not here have few options anyway.
std::vector<OptionId> options_people_need(Command command) {
  using enum OptionId;
  switch (command) {
    case Command::kCheck:
    case Command::kExplain: return {kModel, kRaces, kLeaks, kHtml, kTimeout};
    case Command::kRobust: return {kInstances, kTriangular, kAll, kHtml, kTimeout};
    case Command::kFence: return {kFor, kFenceModel, kPatch, kCost, kTimeout};
    case Command::kOutcomes: return {kModel, kShow, kCrossCheck, kHtml, kTimeout};
    case Command::kExplore: return {kModel, kEquivalence, kStop, kUnroll, kTimeout};
    case Command::kFair: return {kRequest, kGrant, kModel, kFairness, kTimeout};
    default: return {};
  }
}

const OptionDescription* described(OptionId id, Command command) {
  for (const OptionDescription& option : option_table())
    if (option.id == id && applies(option, command)) return &option;
  return nullptr;
}

std::string option_entries(const Layout& layout, Command command, HelpLayer layer) {
  std::string out;
  const std::vector<OptionId> needed = options_people_need(command);
  if (layer == HelpLayer::kFew && !needed.empty()) {
    for (const OptionId id : needed)
      if (const OptionDescription* option = described(id, command))
        out += layout.entry(synopsis(*option), help_text(*option));
    return out + layout.entry("--help-all", "all options");
  }
  for (const OptionDescription& option : option_table())
    if (applies(option, command)) out += layout.entry(synopsis(option), help_text(option));
  return out;
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
  const Layout layout(terminal_width());
  std::string out = layout.paragraph("weir: is a concurrent program correct under SC, TSO and PSO?") + "\n" +
                    layout.paragraph("Usage: weir COMMAND FILE... [options] [-- compiler options]") + "\n";
  for (const CommandDescription& command : command_table())
    out += layout.entry(fmt::format("{} {}", command.name, command.arguments), command.summary);
  out += layout.entry("COMMAND --help", "the options of a command that most people need; --help-all: all");
  out += layout.entry("--man [COMMAND]", "the manual page, as in: weir --man check | man -l -");
  out += layout.entry("--completion bash|zsh",
                      "completes commands and options: source <(weir --completion bash)");
  out += layout.entry("--version", "the version");
  return out + "\n" + layout.paragraph(kSeveralFiles) + layout.paragraph(kExitCodes);
}

std::string command_help(Command command, HelpLayer layer) {
  const Layout layout(terminal_width());
  const CommandDescription& description = describe(command);
  std::string out =
      layout.paragraph(fmt::format("weir {}: {}", description.name, description.summary)) + "\n" +
      layout.paragraph(fmt::format("Usage: weir {} {} [options]", description.name, description.arguments)) +
      "\n";
  out += option_entries(layout, command, layer);
  out += layout.entry("-h, --help", "this text");
  out += "\n" + layout.paragraph(fmt::format("Example: {}", description.example));
  if (description.arguments.starts_with("FILE...")) out += layout.paragraph(kSeveralFiles);
  return out + layout.paragraph(kExitCodes);
}

}  // namespace weir::cli
