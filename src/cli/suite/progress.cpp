#include "cli/suite/progress.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/console.hpp"
#include "cli/progress.hpp"
#include "report/text/terminal.hpp"

namespace weir::cli {

namespace {

constexpr double kPlainPeriod = 5, kTerminalPeriod = 0.1;  // seconds
constexpr std::size_t kBar = 24, kLongestName = 40;

}  // namespace

SuiteProgress::SuiteProgress(std::size_t all, bool wanted)
    : all_(all), wanted_(wanted), terminal_(isatty(STDERR_FILENO) == 1 && !is_dumb_terminal()) {}

SuiteProgress::~SuiteProgress() {
  if (line_open_) std::fputs("\r\x1b[K", stderr);
}

void SuiteProgress::ended(const std::string& file, double seconds) {
  ++done_;
  if (!wanted_ || seconds - last_ < (terminal_ ? kTerminalPeriod : kPlainPeriod)) return;
  last_ = seconds;
  line_open_ = terminal_;
  const std::string text = suite_bar(done_, all_, seconds, file);
  std::fputs((terminal_ ? "\r" + fitted(text, columns_of_terminal() - 1) + "\x1b[K" : "weir: " + text + "\n")
                 .c_str(),
             stderr);
  std::fflush(stderr);
}

std::string suite_bar(std::size_t done, std::size_t all, double seconds, const std::string& file) {
  const std::size_t filled = all == 0 ? kBar : done * kBar / all;
  std::string name = printable(file);
  if (name.size() > kLongestName) name = "..." + name.substr(name.size() - kLongestName);
  return fmt::format("[{}{}] {:>{}} of {}, {:.0f} s, {}", std::string(filled, '#'),
                     std::string(kBar - filled, '-'), done, std::to_string(all).size(), all, seconds, name);
}

}  // namespace weir::cli
