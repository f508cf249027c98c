#include "cli/last_word.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/console.hpp"
#include "cli/session.hpp"
#include "report/exit_code.hpp"
#include "report/json/parts.hpp"

namespace weir::cli {

namespace {

constexpr std::chrono::milliseconds kPatience{100};  // with an answer that nobody takes from the pipe

// Past the buffers of the library, whose locks somebody may hold.
void write_directly(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(descriptor, text.data(), text.size());
    if (wrote <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace

void LastWord::note_progress(const ProgressSample& sample) {
  if (sample.unit == std::string_view("states")) states_ = sample.states;
}

void LastWord::settle(std::string verdict, std::string reason, int code) {
  const std::scoped_lock lock(speaking_);
  settled_ = {std::move(verdict), std::move(reason), code};
}

int LastWord::answer(std::string_view text, int code) {
  const std::scoped_lock lock(speaking_);
  given_ = code;
  print_out(text);
  output_arrived();
  return code;
}

int LastWord::answer_briefly(StopReason reason, double seconds) {
  std::string text;
  int code = kUnknown;
  {
    const std::scoped_lock lock(speaking_);
    if (settled_) code = settled_->code;
    text = brief(this->why(reason), seconds);
  }
  return answer(text, code);
}

std::string LastWord::why(StopReason reason) const {
  const char* const phase = phase_.load(std::memory_order_relaxed);
  return phase == nullptr ? describe(reason) : fmt::format("{} while {}", describe(reason), phase);
}

void LastWord::end_process(StopReason reason, double seconds, const std::filesystem::path& folder) {
  const std::string why = this->why(reason);
  int code = kUnknown;
  static_cast<void>(speaking_.try_lock_for(kPatience));  // the process ends before anybody could unlock it
  if (given_ >= 0) {
    code = given_;
    write_directly(STDERR_FILENO, fmt::format("weir: error: {}; not everything was written\n", why));
  } else {
    if (settled_) code = settled_->code;
    write_directly(STDOUT_FILENO, brief(why, seconds));
  }
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
  _exit(code);
}

std::string LastWord::brief(const std::string& why, double seconds) const {
  const std::string verdict = settled_ ? settled_->verdict : "unknown";
  const std::string reason = settled_ ? settled_->reason : why;
  if (!line_.settings.flag(OptionId::kJson)) {
    const std::string rest = settled_ ? fmt::format(" ({}: no report)", why) : "";
    return fmt::format("{}: {}{}\n", upper(verdict), reason, rest);
  }
  RunInfo run = run_info(line_, asked_model(line_));
  run.seconds = seconds;
  run.peak_bytes = peak_memory();
  const Bound no_bound;
  Statistics figures;
  if (const std::uint64_t states = states_; states != 0) figures.set("states", states);
  Json out = answer_json({"none", verdict, reason, no_bound, figures}, run);
  out["ended"] = why;
  return dump(out);
}

}  // namespace weir::cli
