// What every engine is given besides its input: when to stop, and whom to tell how far it is.
//
// Stopping. Engines poll `stopped()`, a relaxed atomic load, at least every few thousand steps. A watchdog
// thread raises it when the time or memory limit is passed or the user presses Ctrl-C; the engine then
// returns what it knows so far. Whoever has not ended a moment later is overdue: the process has a last word
// for this case (see Limits), and goes without waiting.
//
// Pausing. Who runs several engines in turn pauses the contexts of those whose turn it is not: their next
// `stopped()` returns when the pause is over, or when there is a reason to stop.
//
// Progress. The watchdog also raises `progress_due()` a few times per second. The engine answers by calling
// `report_progress` with its figures.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace weir {

enum class StopReason : std::uint8_t { kNone, kTimeout, kMemory, kInterrupt };

const char* describe(StopReason reason);  // "time limit reached", …

struct ProgressSample {
  std::string phase;  // "explicit tso"
  std::uint64_t states = 0;
  std::uint64_t queue = 0;  // work known but not yet done
  std::uint64_t depth = 0;
  std::string note;  // something to tell the user at once, if there is: shown when it changes
  const char* unit = "states";
  std::uint64_t expected = 0;  // how many there will be, about; 0: unknown
};

struct Limits {
  std::optional<std::chrono::milliseconds> timeout;
  // Resident memory of the process. If there is somebody to be told that it is overdue, the system does not
  // give it more either.
  std::optional<std::uint64_t> memory_bytes;
  // When the time began; now, if not given.
  std::optional<std::chrono::steady_clock::time_point> start = {};
  // Called once, by the watchdog, when a stop was asked for and nobody ended the context in time.
  std::function<void(StopReason)> overdue = {};
};

class Context {
 public:
  using Clock = std::chrono::steady_clock;
  // Called from the engine's thread with the sample and the seconds since the start.
  using ProgressSink = std::function<void(const ProgressSample&, double seconds)>;

  // Without limits, progress and Ctrl-C handling: for tests and library use.
  Context() : start_(Clock::now()) {}
  // With a watchdog thread. `handle_interrupt`: SIGINT, SIGTERM and SIGHUP ask for a stop instead of ending
  // the process; must be constructed before other threads are.
  Context(const Limits& limits, ProgressSink sink, bool handle_interrupt);
  // A part of what another context is for: it has limits of its own, and stops when the other does.
  Context(const Context& whole, const Limits& limits);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  bool stopped() const {
    const StopReason reason = reason_.load(std::memory_order_relaxed);
    return reason != StopReason::kNone && (reason != kPaused || sit_out());
  }
  StopReason stop_reason() const {
    const StopReason reason = reason_.load(std::memory_order_relaxed);
    return reason == kPaused ? StopReason::kNone : reason;
  }
  void request_stop(StopReason reason);

  void pause();
  void resume();

  bool progress_due() const { return progress_due_.load(std::memory_order_relaxed); }
  void report_progress(const ProgressSample& sample);

  // Of the process, for what it starts.
  std::optional<std::uint64_t> memory_limit() const { return memory_limit_; }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  static constexpr StopReason kPaused{255};

  bool sit_out() const;  // what stopped() is after the pause
  void start_watchdog(const Limits& limits, bool handle_interrupt);
  void watch(const Limits& limits, bool handle_interrupt);
  void watch_overdue(const Limits& limits);

  Clock::time_point start_;
  std::optional<std::uint64_t> memory_limit_;
  const Context* whole_ = nullptr;
  bool handles_interrupt_ = false;
  std::atomic<StopReason> reason_{StopReason::kNone};
  std::optional<Clock::time_point> stopped_at_, interrupted_at_;  // the watchdog's, from here on
  bool patience_is_over_ = false, was_overdue_ = false;
  std::atomic<bool> progress_due_{false};
  ProgressSink sink_;
  std::jthread watchdog_;
};

// How much more memory the system gives this process, in bytes.
std::uint64_t memory_left();

// Resident memory of this process, now and at its peak, in bytes.
std::uint64_t resident_memory();
std::uint64_t peak_memory();

}  // namespace weir
