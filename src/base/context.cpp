#include "base/context.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/resource.h>
#include <unistd.h>

#include "base/sanitizers.hpp"

namespace weir {

namespace {

constexpr std::chrono::milliseconds kPoll{20};
// From asking for a stop to being overdue. A run that lasted long may take a moment longer to end.
constexpr int kSlowness = kIsSanitized ? 30 : 1;
constexpr std::chrono::milliseconds kGraceOfInterrupt{300 * kSlowness};
constexpr std::chrono::milliseconds kGrace{700 * kSlowness}, kLongestGrace{5000 * kSlowness};
constexpr int kGraceShare = 20;  // of the time limit
// Memory that was asked for earlier, and is used only now, passes the limit: so far above it the process ends at once.
constexpr std::uint64_t kMuchMore = std::uint64_t{32} << 20;
constexpr std::chrono::milliseconds kProgressPeriod{250};

sigset_t interrupt_set() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  return set;
}

struct MemoryUse {
  std::uint64_t resident = 0, data = 0;  // bytes; data: what could be written, whether it is used or not
};

MemoryUse memory_use() {
  std::uint64_t pages[6] = {};
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    for (std::uint64_t& number : pages)
      if (std::fscanf(file, "%lu", &number) != 1) number = 0;
    std::fclose(file);
  }
  const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {pages[1] * size, pages[5] * size};
}

// Lets the process allocate as much more as it may still use, and a little: what is seen to be too much by
// the watchdog is not yet an error.
void limit_allocation(std::uint64_t most) {
  constexpr std::uint64_t kMargin = std::uint64_t{16} << 20;
  const MemoryUse now = memory_use();
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  const std::uint64_t more = most + kMargin > now.resident ? most + kMargin - now.resident : 0;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, now.data + more);
  setrlimit(RLIMIT_DATA, &limit);
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
    : start_(limits.start.value_or(Clock::now())),
      memory_limit_(limits.memory_bytes),
      sink_(std::move(sink)) {
  if (memory_limit_ && limits.overdue) limit_allocation(*memory_limit_);
  if (handle_interrupt) {
    sigset_t set = interrupt_set();
    struct sigaction hangup {};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler == SIG_IGN) sigdelset(&set, SIGHUP);  // as nohup wants it
    pthread_sigmask(SIG_BLOCK, &set, nullptr);                  // inherited by every thread started later
    handles_interrupt_ = true;
  }
  start_watchdog(limits, handle_interrupt);
}

Context::Context(const Context& whole, const Limits& limits)
    : start_(Clock::now()), memory_limit_(whole.memory_limit_), whole_(&whole) {
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
    if (handles_interrupt_) pthread_kill(watchdog_.native_handle(), SIGTERM);  // it may be waiting for one
    watchdog_.join();
  }
}

void Context::watch(const Limits& limits, bool handle_interrupt) {
  if (handle_interrupt && wait_for_interrupt()) {
    request_stop(StopReason::kInterrupt);
    if (!interrupted_at_) interrupted_at_ = Clock::now();
  }
  if (whole_ != nullptr && whole_->stop_reason() != StopReason::kNone) request_stop(whole_->stop_reason());
  const auto elapsed = Clock::now() - start_;
  if (limits.timeout && elapsed >= *limits.timeout) request_stop(StopReason::kTimeout);
  const std::uint64_t resident = limits.memory_bytes ? resident_memory() : 0;
  if (limits.memory_bytes && resident >= *limits.memory_bytes) request_stop(StopReason::kMemory);
  if (limits.memory_bytes && resident >= *limits.memory_bytes + kMuchMore) patience_is_over_ = true;
  if (limits.memory_bytes && limits.overdue && !was_overdue_) limit_allocation(*limits.memory_bytes);
  if (sink_ && elapsed >= kProgressPeriod && elapsed % kProgressPeriod < kPoll)
    progress_due_.store(true, std::memory_order_relaxed);
  if (limits.overdue && stop_reason() != StopReason::kNone) watch_overdue(limits);
}

void Context::watch_overdue(const Limits& limits) {
  if (!stopped_at_) stopped_at_ = Clock::now();
  std::chrono::milliseconds grace = kGrace;
  if (limits.timeout) grace = std::clamp(*limits.timeout / kGraceShare, kGrace, kLongestGrace);
  if (interrupted_at_ && Clock::now() - *interrupted_at_ >= kGraceOfInterrupt) patience_is_over_ = true;
  if (was_overdue_ || (!patience_is_over_ && Clock::now() - *stopped_at_ < grace)) return;
  was_overdue_ = true;
  limits.overdue(stop_reason());
}

void Context::request_stop(StopReason reason) {
  StopReason now = StopReason::kNone;
  while ((now == StopReason::kNone || now == kPaused) &&
         !reason_.compare_exchange_weak(now, reason, std::memory_order_relaxed)) {
  }
  reason_.notify_all();
}

void Context::pause() {
  StopReason now = StopReason::kNone;
  reason_.compare_exchange_strong(now, kPaused, std::memory_order_relaxed);
}

void Context::resume() {
  StopReason now = kPaused;
  reason_.compare_exchange_strong(now, StopReason::kNone, std::memory_order_relaxed);
  reason_.notify_all();
}

bool Context::sit_out() const {
  reason_.wait(kPaused, std::memory_order_relaxed);
  return stopped();
}

void Context::report_progress(const ProgressSample& sample) {
  progress_due_.store(false, std::memory_order_relaxed);
  if (sink_) sink_(sample, seconds());
}

std::uint64_t resident_memory() { return memory_use().resident; }

std::uint64_t memory_left() {
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  const std::uint64_t used = memory_use().data;
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
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
