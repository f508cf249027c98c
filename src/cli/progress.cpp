#include "cli/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/console.hpp"
#include "report/text/parts.hpp"
#include "report/text/terminal.hpp"

namespace weir::cli {

namespace {

constexpr double kPlainPeriod = 5;  // seconds between plain lines

}  // namespace

std::size_t columns_of_terminal() {
  constexpr std::size_t kUsual = 80, kNarrowest = 20;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return std::max<std::size_t>(size.ws_col, kNarrowest);
}

ProgressPrinter::ProgressPrinter() : terminal_(isatty(STDERR_FILENO) == 1 && !is_dumb_terminal()) {}

ProgressPrinter::~ProgressPrinter() {
  if (line_open_) std::fputs("\r\x1b[K", stderr);
}

void ProgressPrinter::show(const ProgressSample& sample, double seconds) {
  show_note(sample.note);
  const double period = seconds - last_seconds_;
  if (!terminal_ && period < kPlainPeriod) return;
  const double rate = period > 0 && sample.states >= last_states_
                          ? static_cast<double>(sample.states - last_states_) / period
                          : 0;
  const std::string text = progress_text(sample, rate, seconds, resident_memory());
  std::fputs((terminal_ ? "\r" + fitted(text, columns_of_terminal() - 1) + "\x1b[K" : "weir: " + text + "\n")
                 .c_str(),
             stderr);
  std::fflush(stderr);
  line_open_ = terminal_;
  last_seconds_ = seconds;
  last_states_ = sample.states;
}

void ProgressPrinter::show_note(const std::string& note) {
  if (note.empty() || note == last_note_) return;
  std::fputs(((line_open_ ? "\r\x1b[K" : "") + ("weir: " + printable(note)) + "\n").c_str(), stderr);
  line_open_ = false;
  last_note_ = note;
}

std::string progress_text(const ProgressSample& sample, double rate, double seconds,
                          std::uint64_t memory_bytes) {
  const auto rounded = [](std::uint64_t number) { return rounded_count(static_cast<double>(number)); };
  const std::string whole = sample.expected > 0 ? " of about " + rounded(sample.expected) : "";
  return fmt::format("{}: {}{} {} ({}/s), {} queued, {} MB, {:.0f} s", sample.phase, rounded(sample.states),
                     whole, sample.unit, rounded_count(rate), rounded(sample.queue), memory_bytes >> 20,
                     seconds);
}

}  // namespace weir::cli
