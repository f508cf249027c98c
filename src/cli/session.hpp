// What every command that searches does around its search: limits, progress and Ctrl-C before it, warnings
// and files after it.
#pragma once

#include <optional>
#include <vector>

#include "base/context.hpp"
#include "cli/command_line.hpp"
#include "cli/progress.hpp"
#include "report/answer_report.hpp"

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

// What was asked; what it cost is known later.
RunInfo run_info(const CommandLine& line, Model model);
void note_cost(RunInfo& run, const Context& context);

// Prints them, unless the user wants silence.
void warn(const Program& program, const std::vector<Diagnostic>& diagnostics, const Settings& settings);

// Write what --witness and --dot, or only --dot, ask for; what to say if that fails.
std::optional<Diagnostic> write_files(const Program& program, const Witness* witness,
                                      const Settings& settings);
std::optional<Diagnostic> write_dot(const Program& program, const Witness* witness, const Settings& settings);

}  // namespace weir::cli
