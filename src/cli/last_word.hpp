// The answer of a process, given once, whatever happens.
//
// Usually the command gives it. If a limit is passed or a signal arrives, and the command does not end in
// time because it is in code that asks nobody (a compiler's library, a system call, a long report), the
// watchdog gives what is known: `unknown` with the reason, or the verdict that was already confirmed. Then
// the process ends. A verdict that was printed is never taken back: what is not written then is told on
// standard error.
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/context.hpp"
#include "cli/options/command_line.hpp"

namespace weir::cli {

class LastWord {
 public:
  explicit LastWord(const CommandLine& line) : line_(line) {}
  LastWord(const LastWord&) = delete;
  LastWord& operator=(const LastWord&) = delete;

  // What the process does now, as in "time limit reached while compiling".
  void enter(const char* phase) { phase_.store(phase, std::memory_order_relaxed); }

  // How far the search is.
  void note_progress(const ProgressSample& sample);

  // The verdict is certain, but its report not ready.
  void settle(std::string verdict, std::string reason, int code);

  // Prints the answer, all of it, at once. Returns the code.
  int answer(std::string_view text, int code);

  // The same with what is known: unknown, with the reason, or what was settled.
  int answer_briefly(StopReason reason, double seconds);

  // That, unless the answer was given; removes the folder, and ends the process.
  [[noreturn]] void end_process(StopReason reason, double seconds, const std::filesystem::path& folder);

 private:
  struct Settled {
    std::string verdict, reason;
    int code;
  };

  std::string why(StopReason reason) const;
  std::string brief(const std::string& why, double seconds) const;

  const CommandLine& line_;
  std::atomic<const char*> phase_{nullptr};
  std::atomic<std::uint64_t> states_{0};
  std::timed_mutex speaking_;
  std::optional<Settled> settled_;  // under the mutex
  std::atomic<int> given_{-1};      // the code of the answer that was given, or is being
};

}  // namespace weir::cli
