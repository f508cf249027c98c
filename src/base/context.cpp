#include "base/context.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>

namespace weir {

namespace {

constexpr std::chrono::milliseconds kPoll{20};
// From asking for a stop to being overdue. A run that lasted long may take a moment longer to end.
constexpr std::chrono::milliseconds kGraceOfInterrupt{300};
constexpr std::chrono::milliseconds kGrace{700}, kLongestGrace{5000};
constexpr int kGraceShare = 20;  // of the time limit
constexpr std::chrono::milliseconds kProgressDelay{2000};
constexpr std::chrono::milliseconds kProgressPeriod{250};

sigset_t interrupt_set() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  return set;
}

// Sleeps for one poll period; true if an interrupt arrived meanwhile.
bool wait_for_interrupt() {
  const sigset_t set = interrupt_set();
  const timespec period{0, std::chrono::nanoseconds(kPoll).count()};
  return sigtimedwait(&set, nullptr, &period) > 0;
}

}  // namespace

const char* describe(StopReason reason) {
  switch (reason) {
    case StopReason::kNone: return "not stopped";
    case StopReason::kTimeout: return "time limit reached";
    case StopReason::kMemory: return "memory limit reached";
    case StopReason::kInterrupt: return "interrupted";
  }
  return "?";
}

Context::Context(const Limits& limits, ProgressSink sink, bool handle_interrupt)
    : start_(limits.start.value_or(Clock::now())), sink_(std::move(sink)) {
  if (handle_interrupt) {
    sigset_t set = interrupt_set();
    struct sigaction hangup {};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler == SIG_IGN) sigdelset(&set, SIGHUP);  // as nohup wants it
    pthread_sigmask(SIG_BLOCK, &set, nullptr);                  // inherited by every thread started later
  }
  start_watchdog(limits, handle_interrupt);
}

Context::Context(const Context& whole, const Limits& limits) : start_(Clock::now()), whole_(&whole) {
  start_watchdog(limits, false);
}

void Context::start_watchdog(const Limits& limits, bool handle_interrupt) {
  watchdog_ = std::jthread([this, limits, handle_interrupt](const std::stop_token& end) {
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    while (!end.stop_requested()) {
      // Whoever ends a short search does not wait for the watchdog to wake up.
      if (!handle_interrupt) ended.wait_for(lock, end, kPoll, [] { return false; });
      if (!end.stop_requested()) watch(limits, handle_interrupt);
    }
  });
}

Context::~Context() {
  if (watchdog_.joinable()) {
    watchdog_.request_stop();
    watchdog_.join();
  }
}

void Context::watch(const Limits& limits, bool handle_interrupt) {
  if (handle_interrupt && wait_for_interrupt()) {
    request_stop(StopReason::kInterrupt);
    if (!interrupted_at_) interrupted_at_ = Clock::now();
  }
  if (whole_ != nullptr && whole_->stopped()) request_stop(whole_->stop_reason());
  const auto elapsed = Clock::now() - start_;
  if (limits.timeout && elapsed >= *limits.timeout) request_stop(StopReason::kTimeout);
  if (limits.memory_bytes && resident_memory() >= *limits.memory_bytes) request_stop(StopReason::kMemory);
  if (sink_ && elapsed >= kProgressDelay && elapsed % kProgressPeriod < kPoll)
    progress_due_.store(true, std::memory_order_relaxed);
  if (limits.overdue && stopped()) watch_overdue(limits);
}

void Context::watch_overdue(const Limits& limits) {
  if (!stopped_at_) stopped_at_ = Clock::now();
  std::chrono::milliseconds grace = kGrace;
  if (limits.timeout) grace = std::clamp(*limits.timeout / kGraceShare, kGrace, kLongestGrace);
  const bool patience_is_over = interrupted_at_ && Clock::now() - *interrupted_at_ >= kGraceOfInterrupt;
  if (was_overdue_ || (!patience_is_over && Clock::now() - *stopped_at_ < grace)) return;
  was_overdue_ = true;
  limits.overdue(stop_reason());
}

void Context::request_stop(StopReason reason) {
  StopReason expected = StopReason::kNone;
  reason_.compare_exchange_strong(expected, reason, std::memory_order_relaxed);
}

void Context::report_progress(const ProgressSample& sample) {
  progress_due_.store(false, std::memory_order_relaxed);
  if (sink_) sink_(sample, seconds());
}

std::uint64_t resident_memory() {
  long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    long total = 0;
    if (std::fscanf(file, "%ld %ld", &total, &pages) != 2) pages = 0;
    std::fclose(file);
  }
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// Not `getrusage`: its peak includes what the process that started us used before it became us.
std::uint64_t peak_memory() {
  std::uint64_t kilobytes = 0;
  if (std::FILE* file = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file) != nullptr)
      if (std::strncmp(line, "VmHWM:", 6) == 0) kilobytes = std::strtoull(line + 6, nullptr, 10);
    std::fclose(file);
  }
  return kilobytes * 1024;
}

}  // namespace weir
