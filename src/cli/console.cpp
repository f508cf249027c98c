#include "cli/console.hpp"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/session.hpp"
#include "report/error_report.hpp"
#include "report/exit_code.hpp"

namespace weir::cli {

namespace {

constexpr std::size_t kPlainWidth = 100;  // where there is no terminal
constexpr std::size_t kNarrowest = 20;

}  // namespace

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= kNarrowest) return size.ws_col;
  if (const char* columns = std::getenv("COLUMNS")) {
    const unsigned long width = std::strtoul(columns, nullptr, 10);
    if (width >= kNarrowest && width < 10000) return width;
  }
  return kPlainWidth;
}

namespace {

bool wants_colour(std::string_view choice) {
  if (choice != "auto") return choice == "always";
  return isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr && !is_dumb_terminal();
}

void print_error_answer(const CommandLine& line, const std::string& reason,
                        const std::vector<Diagnostic>& diagnostics, const SourceMap& sources) {
  if (!line.settings.flag(OptionId::kJson)) return;
  RunInfo run = run_info(line, asked_model(line));
  run.peak_bytes = peak_memory();
  print_out(error_json(reason, diagnostics, sources, run));
}

}  // namespace

Presentation presentation(const Settings& settings) {
  return {.width = terminal_width(),
          .colour = wants_colour(settings.text(OptionId::kColor)),
          .terminal = isatty(STDOUT_FILENO) == 1,
          .local_steps = settings.flag(OptionId::kVerbose),
          .all_frames = settings.flag(OptionId::kVerbose) || settings.text(OptionId::kFrames) == "all",
          .focus = settings.list(OptionId::kFocus)};
}

void print_out(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void print_error(std::string_view text) {
  const std::string shown = printable_lines(text, false);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

bool is_dumb_terminal() {
  const char* const kind = std::getenv("TERM");
  return kind != nullptr && std::string_view(kind) == "dumb";
}

int fail_usage(const CommandLine& line, const UsageError& error) {
  print_error(fmt::format("weir: error: {}\n", error.message));
  if (!error.hint.empty()) print_error(fmt::format("      = hint: {}\n", error.hint));
  print_error_answer(line, error.message, {{Severity::kError, error.message, {}, error.hint}}, {});
  return kUsage;
}

int fail_input(const CommandLine& line, const InputError& error) {
  print_error(error.verbatim);
  if (error.diagnostics.empty() && !error.verbatim.empty()) {
    const InputError said = compiler_messages(error.verbatim);
    const std::string reason = said.diagnostics.empty() ? error.verbatim : said.diagnostics.front().message;
    print_error_answer(line, reason, said.diagnostics, said.sources);
    return kBadInput;
  }
  return fail_input(line, error.diagnostics, error.sources);
}

int fail_input(const CommandLine& line, const std::vector<Diagnostic>& diagnostics,
               const SourceMap& sources) {
  // Threads that share code complain about the same place: once is enough.
  std::set<std::string> printed;
  std::vector<Diagnostic> different;
  for (const Diagnostic& diagnostic : diagnostics) {
    const std::string text = render(diagnostic, sources);
    if (!printed.insert(text).second) continue;
    print_error(text);
    different.push_back(diagnostic);
  }
  print_error_answer(line, diagnostics.empty() ? "" : diagnostics.front().message, different, sources);
  return kBadInput;
}

int fail_internal(const CommandLine& line, const std::string& message, const std::string& hint) {
  print_error(fmt::format("weir: internal error: {}\n      = hint: {}\n", message, hint));
  print_error_answer(line, "internal error: " + message, {{Severity::kError, message, {}, hint}}, {});
  return kInternal;
}

bool output_arrived() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace weir::cli
