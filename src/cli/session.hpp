// What every command that searches does around its search: limits, progress and Ctrl-C before it, warnings
// and files after it.
#pragma once

#include <optional>
#include <vector>

#include "base/context.hpp"
#include "cli/command_line.hpp"
#include "cli/progress.hpp"
#include "report/answer_report.hpp"
#include "report/explorer_pages.hpp"
#include "report/sarif.hpp"

namespace weir::cli {

// One search of a command line: as long as it lives, progress is shown and limits hold.
class Session {
 public:
  explicit Session(const Settings& settings);

  Context& context() { return context_; }

 private:
  ProgressPrinter progress_;
  Context context_;
};

// What --memory says, or most of what there is.
std::uint64_t memory_limit_megabytes(const Settings& settings);

// What was asked; what it cost is known later.
RunInfo run_info(const CommandLine& line, Model model);
void note_cost(RunInfo& run, const Context& context);

// Prints them, unless the user wants silence.
void warn(const Program& program, const std::vector<Diagnostic>& diagnostics, const Settings& settings);

// Write what --witness and --dot, or only --dot, ask for; what to say if that fails.
std::optional<Diagnostic> write_files(const CommandLine& line, const Program& program,
                                      const Witness* witness);
std::optional<Diagnostic> write_dot(const Program& program, const Witness* witness, const Settings& settings);
// Writes what --sarif asks for.
std::optional<Diagnostic> write_sarif(const SarifLog& log, const Settings& settings);
// The same for an answer with at most one execution.
std::optional<Diagnostic> write_sarif(const Program& program, const Answer& answer, const RunInfo& run,
                                      int exit_code, const Settings& settings);

int exit_code(Verdict verdict);

// What is wrong with --focus.
std::optional<UsageError> check_focus(const Program& program, const Settings& settings);

std::optional<Diagnostic> write_html_page(const ExplorerPage& page, const RunInfo& run,
                                          const Settings& settings);

// Writes what --html asks for; `make_page` is only called if it does.
template <class MakePage>
std::optional<Diagnostic> write_html(const RunInfo& run, const Settings& settings, MakePage make_page) {
  if (!settings.given(OptionId::kHtml)) return std::nullopt;
  return write_html_page(make_page(), run, settings);
}

}  // namespace weir::cli
