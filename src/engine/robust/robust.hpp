// Robustness against TSO: does the store buffer add behaviour over sequential consistency?
//
// A computation's trace is its events with program order, reads-from and coherence; a program is robust if
// every TSO trace is also an SC trace. By Theorem 1 of [Bouajjani13] it suffices to look for *attacks*:
// one thread delays a store past a later load, while the others, under SC, build a happens-before path from
// the load back to the store.
//
// Read-modify-writes, atomic blocks and everything between `lock` and `unlock` are one event each, because
// nothing can come between their accesses; the lock itself is no address.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/context.hpp"
#include "engine/answer.hpp"
#include "program/value_limits.hpp"

namespace weir {

// `thread` delays `store` past `load`. Of threads that run the same code only the first is named.
struct Attack {
  ThreadId thread;
  EdgeId store;
  EdgeId load;

  friend auto operator<=>(const Attack&, const Attack&) = default;
};

enum class AttackVerdict : std::uint8_t {
  kPruned,      // impossible by control flow, fences or locked instructions; no search was needed
  kInfeasible,  // searched, and there is no such computation
  kFeasible,
  kUndecided,  // not searched to the end: another attack answered the question, or a limit was reached
};

struct AttackResult {
  Attack attack;
  AttackVerdict verdict = AttackVerdict::kUndecided;
  // Feasible: a TSO computation that ends with empty buffers and has a cyclic happens-before relation.
  std::optional<Witness> witness;
  // Feasible: what the attacker executes from the store to the load, both included. A full fence before any
  // of these instructions but the first makes the witness impossible, and one anywhere else does not.
  std::vector<EdgeId> path;
};

// The locations before the instructions of an attack's path, without that of the store itself.
std::vector<LocationId> crossed_locations(const Program& program, const std::vector<EdgeId>& path);

enum class RobustVerdict : std::uint8_t { kRobust, kNotRobust, kUnknown };

const char* name(RobustVerdict verdict);  // "robust", "not-robust", "unknown"

enum class RobustnessNotion : std::uint8_t {
  kTraces,      // every TSO trace is an SC trace
  kTriangular,  // no triangular race: stronger than needed, sometimes quicker to see; [Owens10]
};

enum class AttackOrder : std::uint8_t {
  kShortest,  // breadth first: the shortest computation of each attack
  kEarliest,  // depth first, delaying whenever possible: long delays, found quickly
};

struct RobustOptions {
  RobustnessNotion notion = RobustnessNotion::kTraces;
  bool all = false;  // decide every attack instead of stopping at the first feasible one
  AttackOrder order = AttackOrder::kShortest;
  unsigned jobs = 1;               // searches at the same time
  std::vector<LocationId> fences;  // decide as if a full fence stood before each of these locations
  ValueLimits values{.ranges = {}, .most_values = 10'000};  // a search decides many attacks at once
  // For any number of threads: the net has a transition for each value that a load may find, and closing the
  // values takes at least their square.
  std::uint64_t most_closed_values = 256;
  std::uint64_t local_steps = 20'000'000;  // as for the explicit engine
};

struct RobustAnswer {
  RobustVerdict verdict = RobustVerdict::kUnknown;
  std::string reason;                      // in one sentence
  StopReason stopped = StopReason::kNone;  // unknown: the limit that ended the search, if one did
  std::vector<std::pair<std::string, std::string>> bound;  // unknown: what was reached
  std::vector<AttackResult> attacks;                       // every pair of a store and a load, in order
  Statistics statistics;
  std::vector<Diagnostic> diagnostics;

  std::size_t count(AttackVerdict verdict) const;
};

// The witnesses are not yet replayed: that is the caller's duty (check/happens_before.hpp).
RobustAnswer check_robust(const Program& program, const RobustOptions& options, Context& context);

// "thread t0 delays its store at q0 past its load at q1"; unlabelled places are "in line 7".
std::string attack_text(const Program& program, const Attack& attack, RobustnessNotion notion);

// Every pair of a store and a load of one thread, whether it can be an attack or not.
std::vector<Attack> enumerate_attacks(const Program& program);

// Those that control flow, fences and locked instructions do not make impossible at first sight.
std::vector<bool> possible_attacks(const Program& program, const std::vector<Attack>& attacks,
                                   const std::vector<LocationId>& fences);

}  // namespace weir
