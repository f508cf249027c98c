// What an engine answers. `safe` means proved; "safe up to a bound" is `unknown`, with the bound.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/context.hpp"
#include "base/diagnostic.hpp"
#include "base/statistics.hpp"
#include "trace/witness.hpp"

namespace weir {

enum class Verdict : std::uint8_t { kSafe, kUnsafe, kUnknown };

const char* name(Verdict verdict);  // "safe", "unsafe", "unknown"

// How many threads a violation takes, if any number was asked about.
struct ThreadCounts {
  std::vector<std::pair<std::string, std::uint32_t>> counts;  // by thread of the original program
  std::uint32_t total = 0;
  bool least = false;  // with fewer there is no violation
};

struct Answer {
  Verdict verdict = Verdict::kUnknown;
  std::string engine;                      // "explicit"
  std::string reason;                      // safe: what was explored; unknown: why
  StopReason stopped = StopReason::kNone;  // unknown: the limit that ended the search, if one did
  std::string left_out;                    // safe: what was not looked for; also in the reason
  std::vector<std::pair<std::string, std::string>> bound;  // unknown: what was reached, e.g. {"buffer", "4"}
  std::optional<Witness> witness;                          // unsafe
  std::optional<ThreadCounts> threads;                     // unsafe, with any number of threads
  Statistics statistics;
  std::vector<Diagnostic> diagnostics;  // warnings to show, located in the program's sources
};

// Of an engine that visits states: without a data race in them the program may still have one, if its atomic
// accesses do not all order what is around them (trace/data_race.hpp).
void respect_unordered_atomics(const Program& program, Answer& answer);

}  // namespace weir
