#include "base/context.hpp"

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
constexpr std::chrono::milliseconds kSameInterrupt{200};
constexpr std::chrono::milliseconds kProgressDelay{2000};
constexpr std::chrono::milliseconds kProgressPeriod{250};

sigset_t interrupt_set() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
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
    : start_(Clock::now()), sink_(std::move(sink)) {
  if (handle_interrupt) {
    const sigset_t set = interrupt_set();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);  // inherited by every thread started from here on
  }
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

void Context::watch(Limits limits, bool handle_interrupt) {
  if (handle_interrupt) {
    if (wait_for_interrupt()) {
      // A second interrupt means that the user does not want to wait: the default action applies again. But
      // some programs send the first one twice, to the process and to its group.
      const bool again = interrupted_ && Clock::now() - *interrupted_ > kSameInterrupt;
      if (!interrupted_) interrupted_ = Clock::now();
      request_stop(StopReason::kInterrupt);
      if (again) _exit(130);
    }
  }
  const auto elapsed = Clock::now() - start_;
  if (limits.timeout && elapsed >= *limits.timeout) request_stop(StopReason::kTimeout);
  if (limits.memory_bytes && resident_memory() >= *limits.memory_bytes) request_stop(StopReason::kMemory);
  if (sink_ && elapsed >= kProgressDelay && elapsed % kProgressPeriod < kPoll)
    progress_due_.store(true, std::memory_order_relaxed);
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
