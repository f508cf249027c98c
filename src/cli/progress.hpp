// Progress on standard error: one line that is rewritten on a terminal, a plain line every few seconds
// elsewhere.
#pragma once

#include <string>

#include "base/context.hpp"

namespace weir::cli {

class ProgressPrinter {
 public:
  ProgressPrinter();  // finds out whether standard error is a terminal
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  void show(const ProgressSample& sample, double seconds);

 private:
  void show_note(const std::string& note);

  bool terminal_;
  bool line_open_ = false;   // something stands on the terminal's line
  double last_seconds_ = 0;  // of the last line printed
  std::uint64_t last_states_ = 0;
  std::string last_note_;
};

// Of the terminal that standard error is; a longer line would be broken, and could not be rewritten.
std::size_t columns_of_terminal();

// "explicit tso: 1.2 million states (350 thousand/s), 12 thousand queued, 512 MB, 14 s"
std::string progress_text(const ProgressSample& sample, double rate, double seconds,
                          std::uint64_t memory_bytes);

}  // namespace weir::cli
