// What every command does around its work: limits, progress and signals, the answer and warnings.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <vector>

#include "base/context.hpp"
#include "cli/last_word.hpp"
#include "cli/memory_guard.hpp"
#include "cli/options/command_line.hpp"
#include "cli/progress.hpp"
#include "report/answer_report.hpp"
#include "verify/question.hpp"

namespace weir::cli {

// Thrown where a command cannot go on because a limit was passed or a signal arrived, and caught in main.
struct Stopped {};

// The run of a command: from its beginning to its end limits hold, signals are answered and progress is
// shown.
class Session {
 public:
  Session(const CommandLine& line, Context::Clock::time_point start_of_process);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Context& context() { return context_; }
  // See LastWord.
  void enter(const char* phase) { last_word_.enter(phase); }
  void settle(std::string verdict, std::string reason, int code) {
    last_word_.settle(std::move(verdict), std::move(reason), code);
  }
  // Throws Stopped if the command is to stop.
  void go_on() const;
  // What there is to say after that.
  int answer_briefly();
  // For people, or JSON: control characters in it are made visible.
  int answer(std::string_view text, int code);
  // For other programs.
  int answer_exactly(std::string_view text, int code) { return last_word_.answer(text, code); }

  // For temporary files; it goes with the session, however that ends.
  const std::filesystem::path& folder();

 private:
  Limits limits(const CommandLine& line, Context::Clock::time_point start_of_process);
  void end_process(StopReason reason);

  bool json_, colour_;
  LastWord last_word_;
  std::mutex folder_mutex_;
  std::filesystem::path folder_;  // empty until it is needed
  ProgressPrinter progress_;
  Context context_;  // whose watchdog uses all of the above
  MemoryGuard guard_;
};

// Tells the session how far an answer is.
verify::Observer observer(Session& session);

// The model of the command line, or the first one.
Model asked_model(const CommandLine& line);

// What --timeout says.
std::optional<std::chrono::milliseconds> time_limit(const Settings& settings);

// What --memory says, or most of what there is.
std::uint64_t memory_limit_megabytes(const Settings& settings);

// What was asked; what it cost is known later.
RunInfo run_info(const CommandLine& line, Model model);
void note_cost(RunInfo& run, const Context& context);

// Prints them, unless the user wants silence.
void warn(const SourceMap& sources, const std::vector<Diagnostic>& diagnostics, const Settings& settings);
void warn(const Program& program, const std::vector<Diagnostic>& diagnostics, const Settings& settings);

// Prints it; warnings only if the user does not want silence.
void tell(const Diagnostic& problem, const Settings& settings);

// What is wrong with --focus.
std::optional<UsageError> check_focus(const Program& program, const Settings& settings);

}  // namespace weir::cli
